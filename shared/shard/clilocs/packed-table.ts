import { setImmediate as giveWay } from "node:timers/promises";

import { SourceFault } from "../../imports/results/source-fault.ts";

// A packed table holds the length of the plain table and a stream with move-to-front coding. The stream
// holds how often each byte value occurs, then one code for each byte of the plain table. The codes of one
// value form a run. Runs of frequent values come first; among equally frequent values, the lower value
// comes first. Bytes after the codes are ignored.

const lengthBytes = 4;
const lengthMask = 0x8e2c_9a3d;
const values = 256;
const countsBytes = values * 4;

export const packedHeadBytes = lengthBytes + countsBytes;

/** Number of bytes to decode before the event loop runs other work. */
const sliceBytes = 256 * 1024;

/**
 * Recognizes a packed table by its first bytes: the counts must add up to the length.
 * @param start the file's first `packedHeadBytes` or more
 * @returns the length of the plain table in bytes; undefined if the table is not packed
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
 * Unpacks a table. The packed form is longer than the plain one, so a forged length above the file's size is
 * refused before memory is used.
 * @param length of the plain table, as `readPackedLength` returns it
 * @throws {SourceFault} TRUNCATED, or COMPRESSED if the codes contradict each other
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
  throw new SourceFault(
    "COMPRESSED",
    `${label}: it is a packed table with a code that is out of range`,
  );
}

/** @throws {SourceFault} TRUNCATED if a file of that size cannot hold the packed table */
export function requirePackedSize(label: string, size: number, length: number): void {
  const least = packedHeadBytes + length;
  if (size >= least) return;
  throw new SourceFault(
    "TRUNCATED",
    `${label}: it is a packed table of ${size} bytes, but its header requires ${least}`,
  );
}

/** Below this number of bytes a loop is faster than `copyWithin`, which takes constant time. */
const shortMove = 24;

/** All byte values in a list. A code is the position of a value, which then moves to the front. */
class FrontList {
  readonly #list = Uint8Array.from({ length: values }, (_, value) => value);

  /** @param into has the same length as `places` */
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

const readCounts = (head: Buffer): number[] =>
  Array.from({ length: values }, (_, value) => head.readUInt32LE(value * 4));

/**
 * Decodes the plain bytes. A queue holds the values that are still to come, the next one first. The first
 * code of a run is the value's position in the initial queue. Each later code is the position of the value
 * in the queue after the value was written. A value leaves the queue after its run.
 * @returns undefined if a code is not a position in the queue
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

/** Moves the first value of a queue back to the given position. */
function moveBack(queue: Uint8Array, place: number): void {
  const first = queue[0] ?? 0;
  if (place > shortMove) queue.copyWithin(0, 1, place + 1);
  else for (let to = 0; to < place; to += 1) queue[to] = queue[to + 1] ?? 0;
  queue[place] = first;
}

interface Runs {
  /** The values that occur, in the order of their runs. */
  readonly order: readonly number[];
  /** By value: the position of the next code to read. */
  readonly next: Uint32Array;
  /** By value: the end of the run. */
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

/** Reads the first code of each run. @returns undefined if two values share a position */
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
