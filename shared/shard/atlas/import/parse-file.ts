import { decodeWithFallback, decodeUnicode } from "../../../imports/files/decode-text.ts";
import type { SourceFile } from "../../../imports/files/folder.ts";
import {
  type FileFingerprint,
  readFileInPieces,
  readWholeFile,
} from "../../../imports/files/read-file.ts";
import { readRegionsJson } from "../parsers/regions-json.ts";
import { createRegionsXmlParser } from "../parsers/regions-xml.ts";
import type { AtlasSink, TextParser } from "../parsers/sink.ts";
import { createSpawnersXmlParser } from "../parsers/spawners-xml.ts";
import { readSpawnsJson } from "../parsers/spawns-json.ts";
import { readSpawnsMap } from "../parsers/spawns-map.ts";
import { createSpawnsXmlParser } from "../parsers/spawns-xml.ts";
import { XmlDecoder } from "../parsers/xml.ts";
import type { AtlasTree, TreeKind } from "../tree/tree.ts";

const mebibyte = 1024 * 1024;

/** Maximum sizes of a file that is parsed in chunks, of a file that is parsed whole, and of a tree. */
export const maxBytes = { streamed: 64 * mebibyte, whole: 16 * mebibyte, tree: 256 * mebibyte };

export type FileParser =
  | { readonly create: (path: string, sink: AtlasSink) => TextParser }
  | { readonly parse: (path: string, bytes: Buffer, sink: AtlasSink) => void };

const parseJson =
  (parse: typeof readSpawnsJson): ((path: string, bytes: Buffer, sink: AtlasSink) => void) =>
  (path, bytes, sink) =>
    parse(path, decodeUnicode(path, bytes), sink);

/** CATALOGUE of the spawn parsers by family. All families except ModernUO share the format of regions. */
export const spawnParsers: Readonly<Record<TreeKind, FileParser>> = {
  servuo: { create: createSpawnsXmlParser },
  xrunuo: { create: createSpawnersXmlParser },
  runuo: {
    parse: (path, bytes, sink) => readSpawnsMap(path, decodeWithFallback(path, bytes), sink),
  },
  modernuo: { parse: parseJson(readSpawnsJson) },
};

export const regionParserOf = ({ kind }: AtlasTree): FileParser =>
  kind === "modernuo" ? { parse: parseJson(readRegionsJson) } : { create: createRegionsXmlParser };

/** @param onParsed gets the number of bytes of each chunk; the next chunk waits for it */
export async function parseFile(
  file: SourceFile,
  parser: FileParser,
  sink: AtlasSink,
  onParsed: (bytes: number) => Promise<void>,
): Promise<FileFingerprint> {
  if ("create" in parser) return parsePieces(file, parser.create(file.path, sink), onParsed);
  const { bytes, stamp } = await readWholeFile(file, maxBytes.whole);
  parser.parse(file.path, bytes, sink);
  await onParsed(bytes.length);
  return stamp;
}

/** Parses an XML file in chunks. The first bytes of the file declare the encoding. */
async function parsePieces(
  file: SourceFile,
  parser: TextParser,
  onParsed: (bytes: number) => Promise<void>,
): Promise<FileFingerprint> {
  const decoder = new XmlDecoder(file.path);
  const stamp = await readFileInPieces(file, maxBytes.streamed, (piece) => {
    parser.write(decoder.write(piece));
    return onParsed(piece.length);
  });
  parser.write(decoder.end());
  parser.end();
  await onParsed(0);
  return stamp;
}
