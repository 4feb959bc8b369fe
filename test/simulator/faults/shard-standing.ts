import { StandingFaults } from "./standing.ts";

export const sources = ["clilocs", "assets", "atlas"] as const;
export type Source = (typeof sources)[number];

/** What is wrong with a paged source while it is walked; absent is sound. */
export interface WalkFaults {
  /** The source becomes another after so many more pages. */
  changeAfter?: number | undefined;
  stuck?: "repeat" | "empty" | undefined;
  /** Added to the counts of the manifest. */
  miscount?: number | undefined;
  incomplete?: boolean | undefined;
  /** It is being hashed again, from the manifest after so many sound ones. */
  hashingAfter?: number | undefined;
  /** So many pages hold rows that no schema lets through. */
  badPages?: number | undefined;
}

export const tears = ["noEnd", "missingPage", "wrongPages", "wrongCount", "wrongId"] as const;

export interface Tear {
  readonly form: (typeof tears)[number];
  /** Empty for whichever comes first. */
  readonly family: string;
}

/** What only a shard has that can be wrong. */
export class ShardFaults extends StandingFaults {
  readonly walks: Record<Source, WalkFaults> = { clilocs: {}, assets: {}, atlas: {} };
  noImaging = false;
  /** Pictures to be answered wrongly, and how. */
  badImages = { left: 0, form: "hash" };
  /** Only these families of pictures are served; undefined for all. */
  families: readonly string[] | undefined;
  #tears: Tear[] = [];

  override clear(): void {
    super.clear();
    Object.assign(this, new ShardFaults());
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
