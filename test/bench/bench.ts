/**
 * One measured figure: the service's value and the floor's value in the same run. The floor is the baseline: a
 * minimal program that does the same work.
 */
export interface BenchRow {
  readonly bench: string;
  readonly figure: string;
  readonly ours: number;
  /** Null without a minimal program to compare with. Then `target` is an absolute value. */
  readonly floor: number | null;
  readonly unit: string;
  /** The service's value divided by `floor`, or by `target` if `floor` is null. */
  readonly ratio: number;
  readonly better: "higher" | "lower";
  /** The limit of `ratio`, or of the value if `floor` is null. */
  readonly target?: number | undefined;
}

export interface BenchOptions {
  /** True for a short run, which takes about a minute in total. Its figures are less exact. */
  readonly short: boolean;
  /** A migrated database for this benchmark alone. Its server makes commits wait for the disk. */
  readonly databaseUrl: string;
}

export interface Bench {
  readonly name: string;
  run(options: BenchOptions): Promise<BenchRow[]>;
}

/** The measurements of the service or of the minimal program, by the name of the figure. */
export type FigureValues = Readonly<Record<string, number>>;

/** The unit of a figure, its better direction and its target. */
export interface Figure {
  readonly unit: string;
  readonly better: BenchRow["better"];
  readonly target?: number;
}

/**
 * Measures the service and the minimal program alternately, so that a slow minute affects both.
 * @returns the medians, as rows in the order of `figures`
 */
export async function compareWithFloor(
  bench: string,
  figures: Readonly<Record<string, Figure>>,
  sides: { readonly rounds: number; ours(): Promise<FigureValues>; floor(): Promise<FigureValues> },
): Promise<BenchRow[]> {
  const ours: FigureValues[] = [];
  const floor: FigureValues[] = [];
  for (let round = 0; round < sides.rounds; round++) {
    // The machine is warmer for the second side of a round, so alternate which side is first.
    if (round % 2 === 0) ours.push(await sides.ours());
    floor.push(await sides.floor());
    if (round % 2 === 1) ours.push(await sides.ours());
  }
  return Object.entries(figures).map(([figure, { unit, better, target }]) => {
    const [our, their] = [ours, floor].map((side) => median(side.map((one) => one[figure] ?? NaN)));
    return buildBenchRow({
      bench,
      figure,
      ours: our as number,
      floor: their as number,
      unit,
      better,
      target,
    });
  });
}

export const buildBenchRow = (
  row: Omit<BenchRow, "ratio" | "floor"> & { readonly floor: number },
): BenchRow => ({
  ...row,
  ratio: row.ours / row.floor,
});

/** Returns the row of a figure without a minimal program. Its target is an absolute value. */
export const figureAlone = (
  row: Omit<BenchRow, "ratio" | "floor" | "target"> & { readonly target: number },
): BenchRow => ({ ...row, floor: null, ratio: row.ours / row.target });

/** Returns true if the row meets its target, and undefined if it has none. */
export function meetsTarget({ ratio, floor, better, target }: BenchRow): boolean | undefined {
  if (target === undefined) return undefined;
  const bound = floor === null ? 1 : target;
  return better === "higher" ? ratio >= bound : ratio <= bound;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the quantile of the values, for example the median for a share of 0.5. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const [below = NaN, above = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
