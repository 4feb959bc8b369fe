/** A line of two texts: in both, or only in one of them. */
export interface DiffLine {
  readonly kind: "both" | "mine" | "stored";
  readonly text: string;
}

/** Longer texts are compared only by their common beginning and end. */
const maxCells = 4_000_000;

const both = (text: string): DiffLine => ({ kind: "both", text });

/** Compares two texts by line. */
export function compareLines(mine: string, stored: string): readonly DiffLine[] {
  const [one, other] = [mine.split("\n"), stored.split("\n")];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [
    ...one.slice(0, start).map(both),
    ...compareMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...one.slice(one.length - end).map(both),
  ];
}

function compareMiddle(mine: readonly string[], stored: readonly string[]): readonly DiffLine[] {
  const only = (kind: "mine" | "stored", lines: readonly string[]) =>
    lines.map((text): DiffLine => ({ kind, text }));
  if (mine.length * stored.length > maxCells) {
    return [...only("mine", mine), ...only("stored", stored)];
  }
  const lengths = commonLengths(mine, stored);
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < mine.length && column < stored.length) {
    const [left = "", right = ""] = [mine[row], stored[column]];
    if (left === right) {
      lines.push({ kind: "both", text: left });
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      lines.push({ kind: "mine", text: left });
      row += 1;
    } else {
      lines.push({ kind: "stored", text: right });
      column += 1;
    }
  }
  return [...lines, ...only("mine", mine.slice(row)), ...only("stored", stored.slice(column))];
}

/** Returns the length of the longest common sequence of lines from each pair of positions on. */
function commonLengths(mine: readonly string[], stored: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: mine.length + 1 }, () => new Uint32Array(stored.length + 1));
  for (let row = mine.length - 1; row >= 0; row -= 1) {
    const [here, below] = [lengths[row], lengths[row + 1]];
    if (!here || !below) continue;
    for (let column = stored.length - 1; column >= 0; column -= 1) {
      here[column] =
        mine[row] === stored[column]
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, here[column + 1] ?? 0);
    }
  }
  return lengths;
}
