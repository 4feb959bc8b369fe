/**
 * Packs a table of texts in the format of clients since 7.0.104.
 * @param padding the number of bytes after the codes
 */
export function packTable(plain: Buffer, padding = 0): Buffer {
  const stream = Buffer.concat([countsOf(plain), encodeRuns(plain), Buffer.alloc(padding, 7)]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE((plain.length ^ 0x8e2c_9a3d) >>> 0);
  return Buffer.concat([length, moveToFront(stream)]);
}

/** Packs byte counts and codes. They need not match, so that tests can pack invalid tables. */
export function packCodes(
  counts: Readonly<Record<number, number>>,
  codes: readonly number[],
): Buffer {
  const head = Buffer.alloc(1_024);
  for (const [value, count] of Object.entries(counts)) head.writeUInt32LE(count, Number(value) * 4);
  const length = Buffer.alloc(4);
  const sum = Object.values(counts).reduce((total, count) => total + count, 0);
  length.writeUInt32LE(((sum >>> 0) ^ 0x8e2c_9a3d) >>> 0);
  return Buffer.concat([length, moveToFront(Buffer.concat([head, Buffer.from(codes)]))]);
}

function countsOf(plain: Buffer): Buffer {
  const counts = Buffer.alloc(1_024);
  for (const value of plain) counts.writeUInt32LE(counts.readUInt32LE(value * 4) + 1, value * 4);
  return counts;
}

/**
 * Calculates the codes from the end of the text, because each code depends on the bytes that
 * follow.
 */
function encodeRuns(plain: Buffer): Buffer {
  const queue: number[] = [];
  const runs = new Map<number, number[]>();
  for (const value of plain.toReversed()) {
    const run = runs.get(value) ?? [];
    runs.set(value, run);
    const place = queue.indexOf(value);
    if (place !== -1) {
      run.push(place);
      queue.splice(place, 1);
    }
    queue.unshift(value);
  }
  const ordered = [...runs].toSorted(
    ([one, codes], [other, others]) => others.length - codes.length || one - other,
  );
  return Buffer.from(
    ordered.flatMap(([value, codes]) => [queue.indexOf(value), ...codes.toReversed()]),
  );
}

function moveToFront(stream: Buffer): Buffer {
  const list = Array.from({ length: 256 }, (_, value) => value);
  return Buffer.from(
    Array.from(stream, (value) => {
      const place = list.indexOf(value);
      list.splice(place, 1);
      list.unshift(value);
      return place;
    }),
  );
}
