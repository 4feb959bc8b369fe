import { setImmediate as giveWay } from "node:timers/promises";

import { SourceFault } from "../../imports/results/source-fault.ts";

// A packed table is the length of the plain table and a stream that is coded by moving to the front. The
// stream holds how often each byte value occurs, then one code for each byte of the plain table. The codes
// of one value stand together in its run: the runs of frequent values come first, and of equally frequent
// ones that of the lower value. Bytes after the codes mean nothing.

const lengthBytes = 4;
const lengthMask = 0x8e2c_9a3d;
const values = 256;
const countsBytes = values * 4;

/** Bytes before the codes. */
export const packedHeadBytes = lengthBytes + countsBytes;

/** Bytes that are decoded before other work of the process gets its turn. */
const sliceBytes = 256 * 1024;

/**
 * Recognizes a packed table by its first bytes: the counts must add up to the length.
 * @param start the file's first `packedHeadBytes`, or more of it
 * @returns the bytes of the plain table; undefined where this is no packed table
 */
export function readPackedLength(start: Buffer): number | undefined {
  if (start.length < packedHeadBytes) return undefined;
  const length = (start.readUInt32LE(0) ^ lengthMask) >>> 0;
  const head = Buffer.alloc(countsBytes);
  new FrontList().decode(start.subarray(lengthBytes, packedHeadBytes), head);
  const sum = readCounts(head).reduce((total, count) => total + count, 0);
  return sum === length ? length : undefined;
}

/**
 * Unpacks a table. A packed table is longer than the plain one, so memory and time grow with the file
 * alone, whatever its length says.
 * @param length of the plain table, as `readPackedLength` reads it
 * @throws {SourceFault} TRUNCATED, COMPRESSED where its codes contradict each other
 */
export async function unpackTable(label: string, bytes: Buffer, length: number): Promise<Buffer> {
  requirePackedSize(label, bytes.length, length);
  const stream = Buffer.alloc(countsBytes + length);
  const list = new FrontList();
  for (let at = 0; at < stream.length; at += sliceBytes) {
    const slice = stream.subarray(at, at + sliceBytes);
    list.decode(bytes.subarray(lengthBytes + at, lengthBytes + at + slice.length), slice);
    await giveWay();
  }
  const plain = await decodeRuns(readCounts(stream), stream.subarray(countsBytes));
  if (plain) return plain;
  throw new SourceFault("COMPRESSED", `${label}: it is packed, and a code of it is out of range`);
}

/** @throws {SourceFault} TRUNCATED when a file of that size cannot hold the packed table */
export function requirePackedSize(label: string, size: number, length: number): void {
  const least = packedHeadBytes + length;
  if (size >= least) return;
  throw new SourceFault(
    "TRUNCATED",
    `${label}: it is a packed table of ${size} bytes, where its head asks for ${least}`,
  );
}

/** Up to so many bytes a loop moves faster than `copyWithin`, which takes the same time for any number. */
const shortMove = 24;

/** All byte values in a list. Each is coded by its place, and moves to the front then. */
class FrontList {
  readonly #list = Uint8Array.from({ length: values }, (_, value) => value);

  /** @param into has the length of `places` */
  decode(places: Uint8Array, into: Uint8Array): void {
    const list = this.#list;
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] ?? 0;
      const value = list[place] ?? 0;
      if (place > shortMove) list.copyWithin(1, 0, place);
      else for (let to = place; to > 0; to -= 1) list[to] = list[to - 1] ?? 0;
      list[0] = value;
      into[at] = value;
    }
  }
}

/** How often each byte value occurs in the plain table. */
const readCounts = (head: Buffer): number[] =>
  Array.from({ length: values }, (_, value) => head.readUInt32LE(value * 4));

/**
 * Decodes the plain bytes. A queue holds the values that are still to come, the next one first. The first
 * code of a run is the value's place in the first queue. Each other one is the place that the value gets
 * in the queue after it was written; a value whose run is over leaves the queue.
 * @returns undefined where a code is no place of the queue
 */
async function decodeRuns(counts: readonly number[], codes: Buffer): Promise<Buffer | undefined> {
  const runs = findRuns(counts);
  const queue = firstQueue(runs, codes);
  if (!queue) return undefined;
  const { next, end } = runs;
  const plain = Buffer.alloc(codes.length);
  let waiting = runs.order.length;
  for (let at = 0; at < plain.length; at += 1) {
    if (at % sliceBytes === 0) await giveWay();
    const value = queue[0] ?? 0;
    plain[at] = value;
    const from = next[value] ?? 0;
    const isOver = from === end[value];
    const place = isOver ? waiting - 1 : (codes[from] ?? 0);
    if (place >= waiting) return undefined;
    if (isOver) waiting -= 1;
    else next[value] = from + 1;
    moveBack(queue, place);
  }
  return plain;
}

/** Moves the first value of a queue to a place behind. */
function moveBack(queue: Uint8Array, place: number): void {
  const first = queue[0] ?? 0;
  if (place > shortMove) queue.copyWithin(0, 1, place + 1);
  else for (let to = 0; to < place; to += 1) queue[to] = queue[to + 1] ?? 0;
  queue[place] = first;
}

/** Where the codes of each value stand. */
interface Runs {
  /** The values that occur, in the order of their runs. */
  readonly order: readonly number[];
  /** By value, the code of its run that is read next. */
  readonly next: Uint32Array;
  /** By value, the end of its run. */
  readonly end: Uint32Array;
}

function findRuns(counts: readonly number[]): Runs {
  const order = [...counts.keys()]
    .filter((value) => counts[value] !== 0)
    .toSorted((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0) || one - other);
  const [next, end] = [new Uint32Array(values), new Uint32Array(values)];
  let at = 0;
  for (const value of order) {
    next[value] = at;
    at += counts[value] ?? 0;
    end[value] = at;
  }
  return { order, next, end };
}

/** Reads the first code of each run. @returns undefined where two values have one place */
function firstQueue({ order, next }: Runs, codes: Buffer): Uint8Array | undefined {
  const queue = new Uint8Array(values);
  const taken = new Set<number>();
  for (const value of order) {
    const at = next[value] ?? 0;
    const place = codes[at] ?? 0;
    if (place >= order.length || taken.has(place)) return undefined;
    taken.add(place);
    queue[place] = value;
    next[value] = at + 1;
  }
  return queue;
}
