/** One line of two compared texts. Null where a text has no such line. */
export interface ComparedLine {
  readonly mine: string | null;
  readonly stored: string | null;
}

/** Larger parts are shown as replaced as a whole, because a comparison would take too long. */
const largestTable = 1_000_000;

/** Compares two texts line by line. Equal lines stand beside each other. */
export function compareLines(mine: string, stored: string): readonly ComparedLine[] {
  const [a, b] = [mine.split(/\r?\n/), stored.split(/\r?\n/)];
  const start = countEqual(a, b);
  const end = countEqual(a.slice(start).toReversed(), b.slice(start).toReversed());
  return [
    ...a.slice(0, start).map(same),
    ...compareMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function countEqual(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

function compareMiddle(a: readonly string[], b: readonly string[]): ComparedLine[] {
  if (a.length * b.length > largestTable) return [...a.map(onlyMine), ...b.map(onlyStored)];
  const lengths = commonLengths(a, b);
  const lines: ComparedLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ mine: left, stored: right });
      [i, j] = [i + 1, j + 1];
    } else if (isMineNext(lengths, i, j, b.length) && left !== undefined) {
      lines.push(onlyMine(left));
      i += 1;
    } else {
      lines.push(onlyStored(right ?? ""));
      j += 1;
    }
  }
  return lines;
}

const isMineNext = (lengths: readonly number[][], i: number, j: number, end: number): boolean =>
  j >= end || (lengths[i + 1]?.[j] ?? -1) >= (lengths[i]?.[j + 1] ?? -1);

const same = (line: string): ComparedLine => ({ mine: line, stored: line });
const onlyMine = (mine: string): ComparedLine => ({ mine, stored: null });
const onlyStored = (stored: string): ComparedLine => ({ mine: null, stored });

/** Returns, for each pair of positions, the length of the longest common sequence after them. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () =>
    Array.from({ length: b.length + 1 }, () => 0),
  );
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [row, below] = [lengths[i] ?? [], lengths[i + 1] ?? []];
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}
