import { ActiveFaults } from "./standing.ts";

export const sources = ["clilocs", "assets", "atlas"] as const;
export type Source = (typeof sources)[number];

/** The active faults of a paged source. */
export interface PagingFaults {
  /** The source changes after this many more pages. */
  changeAfter?: number | undefined;
  stuck?: "repeat" | "empty" | undefined;
  /** Added to the counts of the manifest. */
  miscount?: number | undefined;
  incomplete?: boolean | undefined;
  /** Manifests say that it is hashed again after this many normal ones. */
  hashingAfter?: number | undefined;
  /** The number of pages with invalid rows. */
  badPages?: number | undefined;
}

export const tears = ["noEnd", "missingPage", "wrongPages", "wrongCount", "wrongId"] as const;

export interface Tear {
  readonly form: (typeof tears)[number];
  /** Empty for any family. */
  readonly family: string;
}

/** The active faults that only a shard has. */
export class ActiveShardFaults extends ActiveFaults {
  readonly walks: Record<Source, PagingFaults> = { clilocs: {}, assets: {}, atlas: {} };
  noImaging = false;
  /** The number of spoiled pictures and the kind of fault. */
  badImages = { left: 0, form: "hash" };
  /** The only families of pictures served; undefined for all. */
  families: readonly string[] | undefined;
  #tears: Tear[] = [];

  override clear(): void {
    super.clear();
    Object.assign(this, new ActiveShardFaults());
    this.#tears = [];
  }

  tear(tear: Tear): void {
    this.#tears.push(tear);
  }

  takeTear(family: string): Tear | undefined {
    const at = this.#tears.findIndex((one) => one.family === "" || one.family === family);
    return at === -1 ? undefined : this.#tears.splice(at, 1)[0];
  }
}
