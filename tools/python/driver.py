"""The far end of the tool `python`: runs cells in one namespace and says how they ended.

It is sent as text when an interpreter starts, so it needs nothing but the standard library of
Python 3.8 or later. Requests come as lines of JSON on what was standard input:

    {"start": {"key", "functions": [{"name", "parameters": [[name, required]], "doc"}]}}
    {"run": {"id", "code"}}    {"interrupt": id}    {"reply": {"id", "value" | "problem"}}

Answers go out among the bytes of standard error, cut into pieces that a pipe takes whole, so that
nothing that other processes write can tear them: NUL, the key, `+` (more follows) or `.`, JSON, NUL.
The end of a cell is said on standard output too: what comes before it is the cell's.
"""

import ast
import builtins
import fcntl
import json
import linecache
import os
import signal
import sys
import threading
import types

#: POSIX guarantees that a pipe takes 512 bytes whole, Linux and macOS at least 4096 and 512.
PIECE_BYTES = 3500 if sys.platform == "linux" else 400
#: Sources of cells that are kept for tracebacks.
MAX_SOURCES = 500
#: Images of one cell that are sent, and their size in bytes; the others are named.
MAX_IMAGES = 8
MAX_IMAGE_BYTES = 4 * 1024 * 1024
IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


class ToolError(RuntimeError):
    """A tool that was called from Python could not do its work, or was refused."""


class Channel:
    """The private ends of the three streams; the well-known descriptors belong to the cells."""

    def __init__(self):
        self.requests = self._private(0)
        self.out = self._private(1)
        self.err = self._private(2)
        self.key = b""
        self._pending = b""
        self._sending = threading.Lock()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)

    @staticmethod
    def _private(descriptor):
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)

    def receive(self):
        """The next request; None when there will be none."""
        while b"\n" not in self._pending:
            piece = os.read(self.requests, 65536)
            if not piece:
                return None
            self._pending += piece
        line, self._pending = self._pending.split(b"\n", 1)
        return json.loads(line)

    def send(self, message, descriptor=None):
        text = json.dumps(message).encode("ascii")
        target = self.err if descriptor is None else descriptor
        with self._sending:
            os.set_blocking(target, True)
            for start in range(0, len(text), PIECE_BYTES):
                more = b"+" if start + PIECE_BYTES < len(text) else b"."
                piece = text[start : start + PIECE_BYTES]
                os.write(target, b"\0" + self.key + more + piece + b"\0")

    def restore(self):
        """Gives the cells their streams back, whatever an earlier one did to them."""
        os.dup2(self.out, 1)
        os.dup2(self.err, 2)


class Interrupts:
    """Lets an arriving request end what a cell is doing, also where Python code gets no turn.

    While a cell runs, the kernel itself turns arriving bytes into SIGINT, for the cell and the
    programs that it started, as a terminal does for ^C.
    """

    def __init__(self, requests):
        self._requests = requests
        self._running = False
        try:
            os.setpgid(0, 0)
        except OSError:
            pass  # It leads a session, and so a group.
        set_signal = getattr(fcntl, "F_SETSIG", 10 if sys.platform == "linux" else None)
        if set_signal is None:
            fcntl.fcntl(requests, fcntl.F_SETOWN, os.getpid())
        else:
            fcntl.fcntl(requests, fcntl.F_SETOWN, -os.getpgrp())
            fcntl.fcntl(requests, set_signal, signal.SIGINT)
        signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, _number, _frame):
        if self._running:
            raise KeyboardInterrupt

    def _arrived(self, _number, _frame):
        os.killpg(os.getpgrp(), signal.SIGINT)

    def begin(self):
        signal.signal(signal.SIGINT, self._interrupt)
        if sys.platform != "linux":
            signal.signal(signal.SIGIO, self._arrived)
        self._running = True
        self.watch(True)

    def end(self):
        self._running = False
        self.watch(False)

    def watch(self, on):
        flags = fcntl.fcntl(self._requests, fcntl.F_GETFL)
        wanted = flags | os.O_ASYNC if on else flags & ~os.O_ASYNC
        if wanted != flags:
            fcntl.fcntl(self._requests, fcntl.F_SETFL, wanted)


class Functions:
    """Tools as functions: a call is a request to the other end, which judges and runs it."""

    def __init__(self, channel, interrupts):
        self._channel = channel
        self._interrupts = interrupts
        self._owner = os.getpid()
        self._last = 0

    def define(self, described, namespace):
        for function in described:
            namespace[function["name"]] = self._function(function)
        namespace["ToolError"] = ToolError

    def _function(self, described):
        name = described["name"]
        keywords = [
            parameter if required else parameter + "=None"
            for parameter, required in described["parameters"]
        ]
        signature = "*, " + ", ".join(keywords) if keywords else ""
        scope = {"call": lambda given: self._call(name, given)}
        exec("def {}({}):\n    return call(locals())".format(name, signature), scope)
        function = scope[name]
        function.__doc__ = described["doc"]
        function.__module__ = "cordon"
        return function

    def _call(self, name, given):
        # Who else reads the requests would take away what is meant for the cells.
        if threading.current_thread() is not threading.main_thread() or os.getpid() != self._owner:
            raise ToolError("Cannot call {}: only a cell's main thread can".format(name))
        arguments = {key: value for key, value in given.items() if value is not None}
        self._last += 1
        # A reply is no interrupt.
        self._interrupts.watch(False)
        try:
            self._channel.send({"call": {"id": self._last, "name": name, "arguments": arguments}})
            return self._reply(self._last)
        finally:
            self._interrupts.watch(True)

    def _reply(self, wanted):
        while True:
            request = self._channel.receive()
            if request is None:
                os._exit(0)
            if "interrupt" in request:
                raise KeyboardInterrupt
            reply = request.get("reply")
            # One with another number is for a call that was interrupted.
            if reply is None or reply["id"] != wanted:
                continue
            if "problem" in reply:
                raise ToolError(reply["problem"])
            return reply["value"]


class Images:
    """What a cell has drawn: figures left open, images shown, image files written."""

    def __init__(self, channel):
        self._channel = channel
        self._sent = []
        self._written = {}
        self._told = {}
        self._folder = None
        self._watching = False

    def begin(self, code):
        self._sent = []
        self._written = {}
        self._folder = self._folder_state()
        if not self._watching:
            self._watching = True
            sys.addaudithook(self._opened)
        if ".show(" in code and ("PIL" in code or "PIL" in sys.modules):
            self._catch_shown()

    def _catch_shown(self):
        try:
            from PIL import ImageShow
        except ImportError:
            return
        images = self

        class Viewer(ImageShow.Viewer):
            def show(self, image, **_options):
                images.add(image)
                return 1

        ImageShow._viewers[:] = [Viewer()]

    def _opened(self, event, arguments):
        if event != "open" or not isinstance(arguments[0], str):
            return
        path, mode = arguments[0], arguments[1]
        if path.lower().endswith(IMAGE_SUFFIXES) and isinstance(mode, str) and mode[:1] in "wx":
            self._written[os.path.abspath(path)] = None

    @staticmethod
    def _folder_state():
        try:
            folder = os.getcwd()
            return folder, os.stat(folder).st_mtime_ns
        except OSError:
            return None

    def add(self, value):
        """Whether the value is an image, which then is sent."""
        data = self._drawn(value)
        if data is None:
            return False
        self._send(data, "")
        return True

    def _drawn(self, value):
        figure = sys.modules.get("matplotlib.figure")
        if figure is not None and isinstance(value, figure.Figure):
            return self._rendered(value)
        pillow = sys.modules.get("PIL.Image")
        if pillow is not None and isinstance(value, pillow.Image):
            import io

            buffer = io.BytesIO()
            value.save(buffer, format="PNG")
            return buffer.getvalue()
        if isinstance(value, type):
            return None
        png = getattr(value, "_repr_png_", None)
        data = png() if callable(png) else None
        return data if isinstance(data, bytes) else None

    @staticmethod
    def _rendered(figure):
        import io

        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", bbox_inches="tight")
        return buffer.getvalue()

    def end(self):
        self._figures()
        for path in sorted({*self._written, *self._new_files()}):
            try:
                with open(path, "rb") as file:
                    data = file.read(MAX_IMAGE_BYTES + 1)
                    version = os.fstat(file.fileno()).st_mtime_ns
            except OSError:
                continue  # It was there for a moment only.
            # Times of files are coarse: one of the cell before may seem to be of this one.
            if path in self._written or self._told.get(path) != version:
                self._send(data, path)
            self._told[path] = version

    def _figures(self):
        helpers = sys.modules.get("matplotlib._pylab_helpers")
        if helpers is None:
            return
        managers = helpers.Gcf.get_all_fig_managers()
        figures = [manager.canvas.figure for manager in managers]
        helpers.Gcf.destroy_all()
        for figure in figures:
            self._send(self._rendered(figure), "")

    def _new_files(self):
        """Image files of the working folder that no Python code has opened for writing."""
        state = self._folder_state()
        if state is None or self._folder is None or state == self._folder:
            return []
        folder, before = state[0], self._folder[1]
        if folder != self._folder[0]:
            return []
        with os.scandir(folder) as entries:
            return [
                entry.path
                for entry in entries
                if entry.name.lower().endswith(IMAGE_SUFFIXES)
                and entry.is_file()
                and entry.stat().st_mtime_ns > before
            ]

    def _send(self, data, path):
        kind = image_type(data)
        if kind is None or any(data == sent for sent in self._sent):
            return
        told = {"path": path, "media_type": kind, "bytes": len(data)}
        if len(data) <= MAX_IMAGE_BYTES and len(self._sent) < MAX_IMAGES:
            import base64

            self._sent.append(data)
            told["data"] = base64.b64encode(data).decode("ascii")
        elif path:
            told["bytes"] = os.path.getsize(path)
        self._channel.send({"image": told})


def image_type(data):
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None


class Cells:
    """Compiles and runs cells in one namespace, that of `__main__`."""

    def __init__(self, module, images):
        self._module = module
        self._namespace = module.__dict__
        self._images = images
        self._flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self._loop = None
        self._shell = None
        self._count = 0
        builtins.display = self._display
        sys.displayhook = self._show

    def run(self, code):
        """None, or how the cell failed: an exit code, or an exception's name and message."""
        self._count += 1
        name = "<cell {}>".format(self._count)
        self._remember(name, code)
        try:
            self._execute(self._parse(code, name), name, code.rstrip().endswith(";"))
        except SystemExit as ending:
            return self._exited(ending.code)
        except BaseException as error:  # Whatever a cell raises is its result.
            print_error(error)
            return {"error": type(error).__name__, "message": message_of(error)}
        return None

    def _remember(self, name, code):
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        linecache.cache.pop("<cell {}>".format(self._count - MAX_SOURCES), None)

    def _parse(self, code, name):
        try:
            return self._tree(code, name)
        except SyntaxError as error:
            changed = self._transformed(code)
            if changed is None or changed == code:
                raise
            try:
                tree = self._tree(changed, name)
            except SyntaxError:
                raise error from None
            self._remember(name, changed)
            return tree

    def _tree(self, code, name):
        return compile(code, name, "exec", self._flags | ast.PyCF_ONLY_AST, True)

    def _transformed(self, code):
        """The cell as IPython reads it (`!ls`, `%timeit`, `f?`); None where it is not installed."""
        if self._shell is None:
            self._shell = ipython_shell(self._module)
        return self._shell.transform_cell(code) if self._shell else None

    def _execute(self, tree, name, silent):
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        if tree.body:
            self._evaluate(compile(tree, name, "exec", self._flags, True))
        if last is None:
            return
        code = compile(ast.Expression(last.value), name, "eval", self._flags, True)
        value = self._evaluate(code)
        if not silent:
            sys.displayhook(value)

    def _evaluate(self, code):
        self._flags |= code.co_flags & FUTURE_FLAGS
        result = eval(code, self._namespace)
        if not code.co_flags & 0x80:  # inspect.CO_COROUTINE
            return result
        import asyncio

        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(result)

    def _show(self, value):
        if value is None:
            return
        builtins._ = None  # So that a repr which prints `_` does not print itself.
        if not self._images.add(value):
            print(repr(value))
        builtins._ = value

    def _display(self, *values):
        for value in values:
            if not self._images.add(value):
                print(value if isinstance(value, str) else repr(value))

    @staticmethod
    def _exited(code):
        if code is None or isinstance(code, int):
            return {"exit": code or 0}
        print(code, file=sys.stderr)
        return {"exit": 1}


def future_flags():
    import __future__

    return sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})


FUTURE_FLAGS = future_flags()


def ipython_shell(module):
    try:
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config
    except ImportError:
        return False
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    shown = sys.displayhook
    shell = InteractiveShell.instance(
        config=config, user_module=module, user_ns=module.__dict__
    )
    sys.displayhook = shown
    shell.system = shell.system_raw
    builtins.get_ipython = shell.get_ipython
    for name in ("exit", "quit"):
        module.__dict__.pop(name, None)
    return shell


def message_of(error):
    try:
        return str(error)
    except Exception:
        return "an exception whose message cannot be had"


def print_error(error):
    """The traceback as far as it is the person's own: not our frames, and of libraries the last."""
    import traceback

    try:
        told = traceback.TracebackException(type(error), error, error.__traceback__)
        shorten(told)
        # A syntax error has no frame of a cell.
        text = "".join(told.format() if told.stack else told.format_exception_only())
    except Exception:  # Exceptions of people's own making may fail at anything.
        text = "{}: {}\n".format(type(error).__name__, message_of(error))
    sys.stderr.write(text)


def shorten(told):
    told.stack[:] = own_frames(told.stack)
    for other in (told.__cause__, told.__context__):
        if other is not None:
            shorten(other)


def own_frames(stack):
    frames = [frame for frame in stack if frame.filename != "<cordon>"]
    own = [frame for frame in frames[:-1] if not is_library(frame.filename)]
    return own + frames[-1:]


LIBRARY = os.path.dirname(os.__file__)


def is_library(filename):
    return filename.startswith((LIBRARY, "<frozen")) or "site-packages" in filename or (
        "dist-packages" in filename
    )


class Driver:
    def __init__(self, module):
        self._owner = os.getpid()
        self._channel = Channel()
        self._interrupts = Interrupts(self._channel.requests)
        self._images = Images(self._channel)
        self._cells = Cells(module, self._images)
        self._functions = Functions(self._channel, self._interrupts)
        self._namespace = module.__dict__
        self._streams = {}
        self._open_streams()

    def serve(self):
        while True:
            request = self._channel.receive()
            if request is None:
                os._exit(0)
            if "start" in request:
                self._start(**request["start"])
            elif "run" in request:
                self._run(**request["run"])
            # An interrupt or a reply that comes now is for a cell that has ended.

    def _start(self, key, functions):
        self._channel.key = key.encode("ascii")
        self._functions.define(functions, self._namespace)
        version = "{}.{}.{}".format(*sys.version_info[:3])
        self._channel.send({"ready": {"version": version, "executable": sys.executable}})

    def _run(self, id, code):
        self._channel.restore()
        self._open_streams()
        failure = None
        try:
            self._interrupts.begin()
            self._images.begin(code)
            failure = self._cells.run(code)
            if os.getpid() == self._owner:
                failure = self._finish() or failure
        except KeyboardInterrupt:
            failure = {"error": "KeyboardInterrupt", "message": ""}
        self._interrupts.end()
        self._flush()
        if os.getpid() != self._owner:
            os._exit((failure or {}).get("exit", 1 if failure else 0))  # A child that the cell forked.
        self._channel.send({"done": {"id": id}}, self._channel.out)
        self._channel.send({"done": {"id": id, "failure": failure}})

    def _open_streams(self):
        """Streams of the cells where they have none, or have closed it; others are their choice."""
        for name, descriptor in (("stdout", 1), ("stderr", 2)):
            if name in self._streams and not getattr(getattr(sys, name), "closed", True):
                continue
            stream = open(
                descriptor, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False
            )
            self._streams[name] = stream
            setattr(sys, name, stream)

    def _finish(self):
        try:
            self._images.end()
        except Exception as error:  # A figure that cannot be drawn.
            print_error(error)
            return {"error": type(error).__name__, "message": message_of(error)}
        return None

    def _flush(self):
        for stream in (*self._streams.values(), sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass  # Replaced by something that cannot, or closed.


def main():
    module = sys.modules["__main__"]
    for name in [name for name in module.__dict__ if not name.startswith("__")]:
        del module.__dict__[name]
    os.environ.setdefault("MPLBACKEND", "Agg")
    import warnings

    # plt.show() has nothing to show here; the figure is returned.
    warnings.filterwarnings("ignore", message=".*(non-GUI backend|is non-interactive).*")
    sys.path.insert(0, "")
    sys.argv[:] = [""]
    Driver(module).serve()


main()
