/** A figure of the service and of the floor, a minimal program for the same work, from the same run. */
export interface Row {
  readonly bench: string;
  readonly figure: string;
  readonly ours: number;
  /** Null without a floor; `target` is then an absolute figure. */
  readonly floor: number | null;
  readonly unit: string;
  /** Service divided by floor; without a floor, service divided by target. */
  readonly ratio: number;
  readonly better: "higher" | "lower";
  /** The limit of the ratio; without a floor, the limit of the figure. */
  readonly target?: number | undefined;
}

export interface BenchOptions {
  /** True for a run of about a minute in total, whose figures are less exact. */
  readonly short: boolean;
  /** A migrated database of this benchmark, on a server whose commits wait for the disk. */
  readonly databaseUrl: string;
}

export interface Bench {
  readonly name: string;
  run(options: BenchOptions): Promise<Row[]>;
}

/** One side's measurements, by figure. */
export type Figures = Readonly<Record<string, number>>;

/** The display and the target of a figure. */
export interface Figure {
  readonly unit: string;
  readonly better: Row["better"];
  readonly target?: number;
}

/**
 * Measures service and floor alternately, so that a slow minute of the machine affects both.
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
    // The second side finds a warm machine, so alternate the order too.
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

/** A figure without a floor; its target is in the same unit. */
export const figureAlone = (
  row: Omit<Row, "ratio" | "floor" | "target"> & { readonly target: number },
): Row => ({ ...row, floor: null, ratio: row.ours / row.target });

/** Returns true if the ratio meets its target; undefined without a target. */
export function meetsTarget({ ratio, floor, better, target }: Row): boolean | undefined {
  if (target === undefined) return undefined;
  const bound = floor === null ? 1 : target;
  return better === "higher" ? ratio >= bound : ratio <= bound;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const [below = NaN, above = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
