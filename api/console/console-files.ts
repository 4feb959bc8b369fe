import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { parse } from "es-module-lexer/js";
import type { Request, RequestHandler, Response } from "express";

import { unknownPathError } from "../../shared/platform/errors/errors.ts";
import { consoleHeaders } from "../http/security-headers.ts";

const folder = path.join(import.meta.dirname, "../../console");

/** The address below which the files of the console are. */
const filesPath = "/console/files/";

/** CATALOGUE of the libraries that the console imports: their name in an import, and in an address. */
const libraries: Readonly<Record<string, string>> = {
  preact: "lib/preact.js",
  "preact/hooks": "lib/preact-hooks.js",
  htm: "lib/htm.js",
};

const mediaTypes: Readonly<Record<string, string>> = {
  ".ts": "text/javascript; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

interface File {
  readonly mediaType: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** The files by their address below `/console/files/`, without those that browsers do not load. */
const sources: ReadonlyMap<string, string> = new Map([
  ...globSync("**/*.{ts,css,svg}", { cwd: folder }).map(
    (name) => [name.replaceAll(path.sep, "/"), path.join(folder, name)] as const,
  ),
  ...Object.entries(libraries).map(
    ([name, address]) => [address, fileURLToPath(import.meta.resolve(name))] as const,
  ),
]);

const files = new Map<string, Promise<File>>();

/** Returns a file as browsers receive it. It is read, converted and compressed once. */
function findFile(address: string): Promise<File> | null {
  const source = sources.get(address);
  if (source === undefined) return null;
  const known = files.get(address);
  if (known) return known;
  const made = makeFile(source);
  files.set(address, made);
  // The next request reads the file again if it could not be read now.
  made.catch(() => files.delete(address));
  return made;
}

const compressions = { gzip: promisify(gzip), brotli: promisify(brotliCompress) };

/**
 * The first reader waits for the compression of about 40 files. Quality 7 needs a fortieth of the time of the
 * default, 11, and its results are 9 % larger.
 */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } };

async function makeFile(source: string): Promise<File> {
  const text = await readFile(source, "utf8");
  const extension = path.extname(source).replace(".mjs", ".js");
  const plain = Buffer.from(isModule(extension) ? toModule(text, extension) : text);
  return {
    mediaType: mediaTypes[extension] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 27)}"`,
    plain,
    gzip: await compressions.gzip(plain),
    brotli: await compressions.brotli(plain, brotliOptions),
  };
}

const isModule = (extension: string): boolean => extension === ".ts" || extension === ".js";

/** Removes types, and replaces the names of libraries by their addresses, which browsers need. */
function toModule(text: string, extension: string): string {
  const script = extension === ".ts" ? stripTypeScriptTypes(text) : text;
  // Replace the last import first, so that the positions of earlier imports stay valid.
  return parse(script)[0].reduceRight((changed, { n: name = "", s: start, e: end }) => {
    const address = libraries[name];
    return address === undefined
      ? changed
      : changed.slice(0, start) + filesPath + address + changed.slice(end);
  }, script);
}

/**
 * Serves the console: its files below `/console/files/`, and the same document at every other address below
 * `/console`, because the script in it reads the address.
 */
export const serveConsole: RequestHandler = async (request, response) => {
  if (request.method !== "GET" && request.method !== "HEAD") throw unknownPathError();
  if (request.path.startsWith("/files/")) {
    await sendFile(request, response);
    return;
  }
  response.set("Cache-Control", "no-cache");
  await sendConsole(response);
};

/** Sends the document of the console. The caller sets the status and the caching. */
export async function sendConsole(response: Response): Promise<void> {
  document ??= makeDocument();
  document.catch(() => (document = undefined));
  const text = await document;
  response.set(consoleHeaders).type("html").send(text);
}

async function sendFile(request: Request, response: Response): Promise<void> {
  const file = await findFile(request.path.slice("/files/".length));
  if (!file) throw unknownPathError();
  response.set({
    "Content-Type": file.mediaType,
    // A browser keeps the file and asks each time whether it changed, since a release changes many at once.
    "Cache-Control": "no-cache",
    ETag: file.etag,
    Vary: "Accept-Encoding",
  });
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const encoding = request.acceptsEncodings("br", "gzip", "identity");
  if (encoding === "br") response.set("Content-Encoding", "br").end(file.brotli);
  else if (encoding === "gzip") response.set("Content-Encoding", "gzip").end(file.gzip);
  else response.end(file.plain);
}

let document: Promise<string> | undefined;

/** Makes the document. It names the modules that the first page needs, so that browsers load them at once. */
async function makeDocument(): Promise<string> {
  const template = await readFile(path.join(folder, "index.html"), "utf8");
  const preloads = [...(await listImports("app.ts"))]
    .map((address) => `<link rel="modulepreload" href="${filesPath}${address}" />`)
    .join("\n    ");
  return template.replace("{{preloads}}", preloads);
}

/** Returns the addresses of a module and of all modules that it imports statically. */
async function listImports(address: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(address)) return found;
  const file = await findFile(address);
  if (!file) throw new Error(`the console imports ${address}, which does not exist`);
  found.add(address);
  for (const { n: name = "", d: dynamic } of parse(file.plain.toString())[0]) {
    if (dynamic !== staticImport) continue;
    const target = name.startsWith(filesPath)
      ? name.slice(filesPath.length)
      : path.posix.join(path.posix.dirname(address), name);
    await listImports(target, found);
  }
  return found;
}

/** Marks a static import in the lexer's list. */
const staticImport = -1;
