import { SourceFault } from "../../imports/results/source-fault.ts";
import { toStorableText } from "../../platform/bridge/json-text.ts";
import { readPackedLength, requirePackedSize, unpackTable } from "./packed-table.ts";

/** The first bytes of a plain table, `02 00 00 00 01 00`. */
const header = Buffer.from([2, 0, 0, 0, 1, 0]);

const recordHeaderBytes = 7;

/**
 * Reads the client's table of texts. A record holds a number, a flag, a length in bytes and UTF-8 text.
 * Clients since 7.0.104 store the table packed.
 * @throws {SourceFault} COMPRESSED, TRUNCATED, UNREADABLE
 */
export async function readTable(
  label: string,
  bytes: Buffer,
): Promise<Iterable<[number: number, text: string]>> {
  if (isPlain(bytes)) return readRecords(label, bytes);
  const length = requirePacked(label, bytes);
  const plain = await unpackTable(label, bytes, length);
  if (isPlain(plain)) return readRecords(label, plain);
  throw new SourceFault(
    "UNREADABLE",
    `${label}: it is a packed table that does not contain a ${plainForm}`,
  );
}

/** Rejects a file that is shorter than its header requires. @param size of the file in bytes */
export type SizeCheck = (size: number) => void;

/** Checks the first bytes of a file and returns a check of its size. @throws {SourceFault} */
export function requireTable(label: string, start: Buffer): SizeCheck {
  if (isPlain(start)) return () => undefined;
  const length = requirePacked(label, start);
  return (size) => requirePackedSize(label, size, length);
}

const isPlain = (start: Buffer): boolean => start.subarray(0, header.length).equals(header);

const plainForm = "plain table of texts (02 00 00 00 01 00)";

/** @returns the length of the plain table in bytes */
function requirePacked(label: string, start: Buffer): number {
  if (start.length < header.length) {
    throw new SourceFault("TRUNCATED", `${label}: it is shorter than the header of a table`);
  }
  const length = readPackedLength(start);
  if (length !== undefined) return length;
  throw new SourceFault(
    "UNREADABLE",
    `${label}: expected a ${plainForm} or a packed one, as clients since 7.0.104 have`,
  );
}

function* readRecords(label: string, bytes: Buffer): Generator<[number: number, text: string]> {
  for (let at = header.length; at < bytes.length;) {
    const length = at + recordHeaderBytes <= bytes.length ? bytes.readUInt16LE(at + 5) : Infinity;
    const end = at + recordHeaderBytes + length;
    if (end > bytes.length) throw new SourceFault("TRUNCATED", `${label}: it ends within a text`);
    yield [
      bytes.readInt32LE(at),
      toStorableText(bytes.toString("utf8", at + recordHeaderBytes, end)),
    ];
    at = end;
  }
}
