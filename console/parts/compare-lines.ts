/** A row of a comparison: the line before and the line after. Null stands for a line that is missing. */
export interface ComparedLine {
  readonly before: string | null;
  readonly after: string | null;
}

/** Above this number of compared pairs, the differing part is shown as one replaced block. */
const mostPairs = 4_000_000;

/** Compares two texts by line. Equal lines share a row, and a replaced line stands beside its replacement. */
export function compareLines(before: string, after: string): readonly ComparedLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [
    ...old.slice(0, start).map(same),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

const same = (line: string): ComparedLine => ({ before: line, after: line });

function compareMiddle(old: readonly string[], now: readonly string[]): ComparedLine[] {
  if (old.length * now.length > mostPairs) return pairUp(old, now);
  const common = commonLengths(old, now);
  const rows: ComparedLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    rows.push(...pairUp(removed, added));
    [removed, added] = [[], []];
  };
  let [left, right] = [0, 0];
  while (left < old.length || right < now.length) {
    const [one, other] = [old[left], now[right]];
    if (one !== undefined && one === other) {
      flush();
      rows.push(same(one));
      left += 1;
      right += 1;
    } else if (one !== undefined && isRemoval(common, left, right)) {
      removed.push(one);
      left += 1;
    } else {
      added.push(other ?? "");
      right += 1;
    }
  }
  flush();
  return rows;
}

const isRemoval = (common: readonly Uint32Array[], left: number, right: number): boolean =>
  (common[left + 1]?.[right] ?? 0) >= (common[left]?.[right + 1] ?? 0);

/** Returns for each pair of positions how many lines the rests of both texts have in common, in order. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let left = old.length - 1; left >= 0; left -= 1) {
    const [row, below] = [lengths[left], lengths[left + 1]];
    if (!row || !below) continue;
    for (let right = now.length - 1; right >= 0; right -= 1) {
      row[right] =
        old[left] === now[right]
          ? (below[right + 1] ?? 0) + 1
          : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return lengths;
}

const pairUp = (removed: readonly string[], added: readonly string[]): ComparedLine[] =>
  Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => ({
    before: removed[at] ?? null,
    after: added[at] ?? null,
  }));
