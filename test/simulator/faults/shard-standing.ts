import { ActiveFaults } from "./standing.ts";

export const sources = ["clilocs", "assets", "atlas"] as const;
export type PagedSourceName = (typeof sources)[number];

/** The active faults of a source that is read page by page. */
export interface PagingFaults {
  /** The number of pages after which the source changes. */
  changeAfter?: number | undefined;
  stuck?: "repeat" | "empty" | undefined;
  /** The number by which the counts in the manifest are too large. */
  miscount?: number | undefined;
  incomplete?: boolean | undefined;
  /** The number of normal manifests before those that say `hashing: true`. */
  hashingAfter?: number | undefined;
  /** The number of pages that contain an invalid row. */
  badPages?: number | undefined;
}

export const tears = ["noEnd", "missingPage", "wrongPages", "wrongCount", "wrongId"] as const;

export interface SnapshotDamage {
  readonly form: (typeof tears)[number];
  /** The family whose snapshot is damaged. An empty text means any family. */
  readonly family: string;
}

/** The active faults, including those that only a shard has. */
export class ActiveShardFaults extends ActiveFaults {
  readonly walks: Record<PagedSourceName, PagingFaults> = { clilocs: {}, assets: {}, atlas: {} };
  noImaging = false;
  /** How many pictures are still spoiled, and in which form. */
  badImages = { left: 0, form: "hash" };
  /** The families of pictures that are served. Undefined means all. */
  families: readonly string[] | undefined;
  #tears: SnapshotDamage[] = [];

  override clear(): void {
    super.clear();
    Object.assign(this, new ActiveShardFaults());
    this.#tears = [];
  }

  tear(tear: SnapshotDamage): void {
    this.#tears.push(tear);
  }

  takeTear(family: string): SnapshotDamage | undefined {
    const at = this.#tears.findIndex((one) => one.family === "" || one.family === family);
    return at === -1 ? undefined : this.#tears.splice(at, 1)[0];
  }
}
