import { storableText } from "../../bridge/json-text.ts";
import { SourceFault } from "../../imports/results/source-fault.ts";

/** `02 00 00 00 01 00`: the version of the plain table. */
const header = Buffer.from([2, 0, 0, 0, 1, 0]);

const headOfRecord = 7;

/** The packed table hides its unpacked length in its first four bytes. */
const packedMask = 0x8e2c_9a3d;
const longestPlain = 64 * 1024 * 1024;

/**
 * Reads the client's table of texts, as clients before 7.0.104 keep it: records of a number, a
 * flag, a length in bytes and UTF-8.
 * @throws {SourceFault} COMPRESSED, TRUNCATED, UNREADABLE
 */
export function* readTable(
  label: string,
  bytes: Buffer,
): Generator<[number: number, text: string]> {
  requireTable(label, bytes);
  for (let at = header.length; at < bytes.length;) {
    const length = at + headOfRecord <= bytes.length ? bytes.readUInt16LE(at + 5) : Infinity;
    const end = at + headOfRecord + length;
    if (end > bytes.length) throw new SourceFault("TRUNCATED", `${label}: it ends within a text`);
    yield [bytes.readInt32LE(at), storableText(bytes.toString("utf8", at + headOfRecord, end))];
    at = end;
  }
}

/** Tells by its first bytes whether a file is a table that can be read. */
export function requireTable(label: string, start: Buffer): void {
  if (start.subarray(0, header.length).equals(header)) return;
  if (start.length < header.length) {
    throw new SourceFault("TRUNCATED", `${label}: it is shorter than the head of a table`);
  }
  if (isPacked(start)) {
    throw new SourceFault(
      "COMPRESSED",
      `${label}: it is of the packed kind that clients since 7.0.104 have; give an unpacked one`,
    );
  }
  throw new SourceFault("UNREADABLE", `${label}: it is no table of texts`);
}

/** A packed table may be as large as a plain one, so it is recognised by its first bytes. */
function isPacked(start: Buffer): boolean {
  const length = (start.readUInt32LE(0) ^ packedMask) >>> 0;
  return length >= header.length && length <= longestPlain;
}
