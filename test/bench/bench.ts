/** One figure of ours beside the floor's: the same work with nothing in the way, in the same run. */
export interface Row {
  readonly bench: string;
  readonly figure: string;
  readonly ours: number;
  /** Null where there is nothing to compare with, and `target` is a figure of its own. */
  readonly floor: number | null;
  readonly unit: string;
  /** Ours over the floor's; ours over the target's figure where there is no floor. */
  readonly ratio: number;
  readonly better: "higher" | "lower";
  /** The ratio to reach, or not to exceed; without a floor the figure. */
  readonly target?: number | undefined;
}

export interface BenchOptions {
  /** A minute for all of them together: the figures say less. */
  readonly short: boolean;
  /** A migrated database for this bench alone, on a server whose commits wait for the disk. */
  readonly databaseUrl: string;
}

export interface Bench {
  readonly name: string;
  run(options: BenchOptions): Promise<Row[]>;
}

/** What one side measured, by figure. */
export type Figures = Readonly<Record<string, number>>;

/** How a figure is shown and judged. */
export interface Figure {
  readonly unit: string;
  readonly better: Row["better"];
  readonly target?: number;
}

/**
 * Measures ours and the floor in turns, so that a slow minute of the machine meets both alike.
 * @returns the medians, as rows in the order of `figures`
 */
export async function compare(
  bench: string,
  figures: Readonly<Record<string, Figure>>,
  sides: { readonly rounds: number; ours(): Promise<Figures>; floor(): Promise<Figures> },
): Promise<Row[]> {
  const ours: Figures[] = [];
  const floor: Figures[] = [];
  for (let round = 0; round < sides.rounds; round++) {
    // Whoever comes second finds the machine warm: they take turns at that too.
    if (round % 2 === 0) ours.push(await sides.ours());
    floor.push(await sides.floor());
    if (round % 2 === 1) ours.push(await sides.ours());
  }
  return Object.entries(figures).map(([figure, { unit, better, target }]) => {
    const [our, their] = [ours, floor].map((side) => median(side.map((one) => one[figure] ?? NaN)));
    return rowOf({
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

export const rowOf = (row: Omit<Row, "ratio" | "floor"> & { readonly floor: number }): Row => ({
  ...row,
  ratio: row.ours / row.floor,
});

/** A figure with nothing to compare with: what it is to reach is a figure too, in its own unit. */
export const figureAlone = (
  row: Omit<Row, "ratio" | "floor" | "target"> & { readonly target: number },
): Row => ({ ...row, floor: null, ratio: row.ours / row.target });

/** Whether the ratio is as good as it is meant to be; undefined where nothing is said. */
export function meetsTarget({ ratio, floor, better, target }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  const bound = floor === null ? 1 : target;
  return better === "higher" ? ratio >= bound : ratio <= bound;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which this share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const [below = NaN, above = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
