import { TextDecoder } from "node:util";

import { decodeLoosely } from "../../imports/decode-text.ts";
import type { SourceFile } from "../../imports/folder.ts";
import { type FileStamp, readFileInPieces, readWholeFile } from "../../imports/read-file.ts";
import type { ImportRun } from "../../imports/run-import.ts";
import { SourceFault } from "../../imports/source-fault.ts";
import type { AtlasLoading } from "./loading.ts";
import { readRegionsJson } from "./regions-json.ts";
import { createRegionsXmlParser } from "./regions-xml.ts";
import type { TextParser } from "./sink.ts";
import { readSpawnsJson } from "./spawns-json.ts";
import { readSpawnsMap } from "./spawns-map.ts";
import { createSpawnsXmlParser } from "./spawns-xml.ts";
import type { AtlasTree } from "./tree.ts";

/** Files that are read piece by piece may be larger than those that are parsed whole. */
const maxBytes = { streamed: 64 * 1024 * 1024, whole: 16 * 1024 * 1024, tree: 256 * 1024 * 1024 };

const filesOf = ({ regions, spawns }: AtlasTree): SourceFile[] => [regions, ...spawns];

/** Hashes every file of a tree. @throws {SourceFault} */
export async function stampTree(tree: AtlasTree, signal?: AbortSignal): Promise<FileStamp[]> {
  const files = filesOf(tree);
  if (files.reduce((sum, { size }) => sum + size, 0) > maxBytes.tree) {
    throw new SourceFault("TOO_LARGE", "the tree holds more than 256 MiB");
  }
  const stamps: FileStamp[] = [];
  for (const file of files) {
    signal?.throwIfAborted();
    stamps.push(await readFileInPieces(file, maxBytes.streamed, () => undefined));
  }
  return stamps;
}

/**
 * Parses a tree into `loading`.
 * @param stamps the files as they were hashed: what is parsed must be the same
 * @throws {SourceFault} NO_REGIONS, NO_SPAWNS, MALFORMED, TOO_LARGE, SOURCE_CHANGED
 */
export async function readTree(
  tree: AtlasTree,
  stamps: readonly FileStamp[],
  loading: AtlasLoading,
  { report }: Pick<ImportRun, "report">,
): Promise<void> {
  const hashes = new Map(stamps.map(({ path, sha256 }) => [path, sha256]));
  const read = async (file: SourceFile, role: Role): Promise<void> => {
    const { sha256 } = await readFile(file, role, tree, loading);
    if (sha256 !== hashes.get(file.path)) {
      throw new SourceFault("SOURCE_CHANGED", `${file.path}: it changed while it was read`);
    }
  };
  await report("regions", 0, tree.spawns.length);
  await read(tree.regions, "regions");
  if (loading.tally.regions === 0) {
    throw new SourceFault("NO_REGIONS", `${tree.regions.path}: it holds no region`);
  }
  await loading.finishRegions();
  for (const [at, file] of tree.spawns.entries()) {
    await report("spawns", at, tree.spawns.length);
    if (file.size === 0) loading.tally.skipped += 1;
    else await read(file, "spawns");
  }
  loading.tally.skipped += tree.skipped;
  await loading.flush(true);
  if (loading.tally.spawners > 0) return;
  throw new SourceFault("NO_SPAWNS", "none of the spawn files holds a spawner");
}

type Role = "regions" | "spawns";

async function readFile(
  file: SourceFile,
  role: Role,
  { kind }: AtlasTree,
  loading: AtlasLoading,
): Promise<FileStamp> {
  const { sink } = loading;
  if (kind !== "modernuo" && (role === "regions" || kind === "servuo")) {
    const create = role === "regions" ? createRegionsXmlParser : createSpawnsXmlParser;
    return streamText(file, create(file.path, sink), () => loading.flush());
  }
  const { bytes, stamp } = await readWholeFile(file, maxBytes.whole);
  if (kind === "runuo") readSpawnsMap(file.path, decodeLoosely(bytes), sink);
  else {
    const parse = role === "regions" ? readRegionsJson : readSpawnsJson;
    parse(file.path, decode(file.path, bytes), sink);
  }
  await loading.flush();
  return stamp;
}

async function streamText(
  file: SourceFile,
  parser: TextParser,
  flush: () => Promise<void>,
): Promise<FileStamp> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const stamp = await readFileInPieces(file, maxBytes.streamed, (piece) => {
    parser.write(decodePiece(file.path, decoder, piece));
    return flush();
  });
  parser.write(decodePiece(file.path, decoder));
  parser.end();
  await flush();
  return stamp;
}

function decodePiece(path: string, decoder: TextDecoder, piece?: Buffer): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
  } catch {
    throw new SourceFault("MALFORMED", `${path}: it is not UTF-8`);
  }
}

function decode(path: string, bytes: Buffer): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return decodePiece(path, decoder, bytes) + decodePiece(path, decoder);
}

/** @throws {SourceFault} SOURCE_CHANGED when files came or went meanwhile */
export function requireSameFiles(before: AtlasTree, after: AtlasTree): void {
  const [one, other] = [before, after].map((tree) => filesOf(tree).map(({ path }) => path));
  if (JSON.stringify(one) === JSON.stringify(other)) return;
  throw new SourceFault("SOURCE_CHANGED", "files came or went while the tree was read");
}
