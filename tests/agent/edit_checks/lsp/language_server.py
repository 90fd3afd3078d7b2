"""A language server that finds the word "bug", and behaves as its first argument says."""

import json
import os
import sys

MODE = sys.argv[1]


def read():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            break
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length))


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def problems(text):
    found = []
    for number, line in enumerate(text.split("\n")):
        for word, severity in (("bug", 1), ("smell", 2), ("hint", 4)):
            if word in line:
                start = {"line": number, "character": line.index(word)}
                found.append({
                    "range": {"start": start, "end": start},
                    "severity": severity,
                    "source": "fake",
                    "code": word.upper(),
                    "message": line.strip(),
                })
    return found


def publish(document, text):
    if MODE == "silent":
        return
    said = {"uri": document["uri"], "diagnostics": []}
    if MODE == "versions":
        send({"method": "textDocument/publishDiagnostics", "params": {**said, "version": 0}})
        said["version"] = document["version"]
    # As real ones do: what is quick first, and all of it then.
    send({"method": "textDocument/publishDiagnostics", "params": said})
    said["diagnostics"] = problems(text)
    send({"method": "textDocument/publishDiagnostics", "params": said})


def main():
    with open("starts", "a") as starts:
        starts.write("x")
    if MODE == "garbage":
        print("Welcome! " * 1000, flush=True)
    texts = {}
    while True:
        message = read()
        method, params, number = message.get("method"), message.get("params"), message.get("id")
        if MODE == "deaf":
            continue
        if method == "initialize":
            sys.stderr.write("noise " * 100_000)
            pull = {"diagnosticProvider": {}} if MODE == "pull" else {}
            send({"id": number, "result": {"capabilities": pull}})
            send({"id": "c1", "method": "workspace/configuration", "params": {
                "items": [{"section": "fake"}, {}]}})
            send({"id": "c2", "method": "fake/unknown", "params": {}})
        elif message.get("id") in ("c1", "c2"):
            with open("answers", "a") as answers:
                answers.write(json.dumps({"id": number, **{
                    key: message[key] for key in ("result", "error") if key in message}}) + "\n")
        elif method == "textDocument/didOpen":
            document = params["textDocument"]
            if MODE == "dies" or (MODE == "dies-once" and os.path.getsize("starts") == 1):
                os._exit(3)
            texts[document["uri"]] = document["text"]
            with open("languages", "a") as languages:
                languages.write(document["languageId"] + "\n")
            publish(document, document["text"])
        elif method == "textDocument/didChange":
            document = params["textDocument"]
            texts[document["uri"]] = params["contentChanges"][0]["text"]
            publish(document, texts[document["uri"]])
        elif method == "textDocument/diagnostic":
            found = problems(texts[params["textDocument"]["uri"]])
            send({"id": number, "result": {"kind": "full", "items": found}})
        elif method == "shutdown":
            send({"id": number, "result": None})
        elif method == "exit":
            open("exited", "w").close()
            os._exit(0)


main()
