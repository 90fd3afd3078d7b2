import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResourceResource } from "@agentclientprotocol/sdk";
import { isInside } from "../../sandbox/rights/grants.ts";
import { recogniseFile } from "../../tools/file_signature.ts";
import { type Content, text } from "../../tools/tool.ts";
import { keepImage } from "../attachments.ts";
import { UsageError } from "../command_line/parse.ts";
import type { Blobs } from "../session/blobs.ts";
import { fileBlock } from "../terminal/prompt_files.ts";
import type { FolderNames } from "./path_names.ts";

/** A prompt of an editor. */
export interface SaidInEditor {
  /** What the person wrote, with the names of what they pointed at in it. */
  readonly words: string;
  /** What goes with it: texts of files as blocks, and images. */
  readonly more: readonly Content[];
}

/**
 * Reads a prompt; images are kept with the session.
 * @throws {UsageError} for content that models do not take, or too much of it.
 */
export async function readPrompt(
  blocks: readonly ContentBlock[],
  folder: FolderNames,
  blobs: Blobs,
): Promise<SaidInEditor> {
  let words = "";
  const more: Content[] = [];
  for (const [at, block] of blocks.entries()) {
    switch (block.type) {
      case "text":
        words += block.text;
        break;
      case "resource_link":
        words += nameOf(block.uri, folder);
        break;
      case "resource": {
        const name = nameOf(block.resource.uri, folder);
        words += name;
        more.push(await attached(name, block.resource, blobs));
        break;
      }
      case "image": {
        const name = block.uri ? nameOf(block.uri, folder) : `image-${at + 1}`;
        more.push(await keepImage(name, bytesOf(block.data, name), blobs));
        break;
      }
      case "audio":
        throw new UsageError("Cannot take audio: models are sent text and images here");
      default:
        block satisfies never;
    }
  }
  if (words.trim() === "" && more.length === 0) {
    throw new UsageError("Cannot take a prompt that says nothing");
  }
  return { words, more };
}

/**
 * How a prompt names a resource: a file of the session's folder by its path in there, another file by
 * its path, everything else by its address. Pure.
 */
function nameOf(uri: string, { given, real }: FolderNames): string {
  const path = pathOf(uri);
  if (path === undefined) return uri;
  const home = [given, real].find((folder) => isInside(path.name, folder));
  return (home === undefined ? path.name : relative(home, path.name) || ".") + path.fragment;
}

function pathOf(uri: string): { readonly name: string; readonly fragment: string } | undefined {
  if (isAbsolute(uri)) return { name: uri, fragment: "" };
  const url = URL.parse(uri);
  if (url?.protocol !== "file:") return undefined;
  try {
    return { name: fileURLToPath(url), fragment: url.hash };
  } catch (error) {
    // A file of another machine, or a name that no file has.
    if (!(error instanceof TypeError) && !(error instanceof URIError)) throw error;
    return undefined;
  }
}

async function attached(
  name: string,
  resource: EmbeddedResourceResource,
  blobs: Blobs,
): Promise<Content> {
  if ("text" in resource) return text(fileBlock(name, new TextEncoder().encode(resource.text)));
  const bytes = bytesOf(resource.blob, name);
  if (recogniseFile(bytes)?.kind === "image") return await keepImage(name, bytes, blobs);
  return text(fileBlock(name, bytes));
}

function bytesOf(base64: string, name: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`Cannot attach "${name}": its bytes are no base64`);
  }
}
