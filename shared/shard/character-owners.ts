import { accountKey } from "./links.ts";

/** How long a character is taken to be of the account it was last seen on. */
const knownMs = 5 * 60_000;
/** How long an account is taken to have no other characters than those it was seen with. */
const wholeMs = 30_000;
const mostKnown = 50_000;

/**
 * Whose account a character is, as far as the shard said so to this process. Kept in memory: it
 * saves calls and decides nothing alone, for a sheet that goes out names its account itself.
 */
export class CharacterOwners {
  readonly #owners = new Map<string, { readonly key: string; readonly atMs: number }>();
  readonly #wholeAtMs = new Map<string, number>();
  readonly #clock: () => number;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** The key of the account a character is on; undefined when nobody said of late. */
  ownerOf(serial: string): string | undefined {
    const known = this.#owners.get(serial);
    return known && this.#isYounger(known.atMs, knownMs) ? known.key : undefined;
  }

  /** Whether every character of the account was named a moment ago. */
  knowsWhole(key: string): boolean {
    const atMs = this.#wholeAtMs.get(key);
    return atMs !== undefined && this.#isYounger(atMs, wholeMs);
  }

  noteCharacter(serial: string, account: string): void {
    if (this.#owners.size >= mostKnown) this.#forget();
    this.#owners.set(serial, { key: accountKey(account), atMs: this.#clock() });
  }

  noteRoster(account: string, serials: readonly string[]): void {
    for (const serial of serials) this.noteCharacter(serial, account);
    this.#wholeAtMs.set(accountKey(account), this.#clock());
  }

  #isYounger(atMs: number, ms: number): boolean {
    return this.#clock() - atMs < ms;
  }

  #forget(): void {
    this.#owners.clear();
    this.#wholeAtMs.clear();
  }
}
