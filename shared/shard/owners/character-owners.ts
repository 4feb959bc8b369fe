import { accountKey } from "./link-mirror.ts";

/** How long a character is taken to be on the account that it was last seen on. */
const characterKnownMs = 5 * 60_000;
/** How long an account's list of characters is taken to be complete. */
const rosterKnownMs = 30_000;
const mostCharacters = 50_000;

/**
 * Which account a character is on, as the shard lately told this process. It only saves calls: a
 * sheet names its account itself, and is checked against that before it is sent.
 */
export class CharacterOwners {
  readonly #owners = new Map<string, { readonly key: string; readonly atMs: number }>();
  readonly #rosterAtMs = new Map<string, number>();
  readonly #clock: () => number;
  #bootId: string | null = null;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** A game process that crashed goes back in time, and its serials pass to other characters. */
  follow(bootId: string | null): void {
    if (bootId === this.#bootId) return;
    this.#forget();
    this.#bootId = bootId;
  }

  /** The key of the account a character is on; undefined when the shard has not told it lately. */
  ownerOf(serial: string): string | undefined {
    const known = this.#owners.get(serial);
    return known && this.#isYounger(known.atMs, characterKnownMs) ? known.key : undefined;
  }

  /** Whether the shard told all characters of the account a moment ago. */
  knowsRosterOf(key: string): boolean {
    const atMs = this.#rosterAtMs.get(key);
    return atMs !== undefined && this.#isYounger(atMs, rosterKnownMs);
  }

  noteCharacter(serial: string, account: string): void {
    if (this.#owners.size >= mostCharacters) this.#forget();
    this.#owners.set(serial, { key: accountKey(account), atMs: this.#clock() });
  }

  noteRoster(account: string, serials: readonly string[]): void {
    for (const serial of serials) this.noteCharacter(serial, account);
    this.#rosterAtMs.set(accountKey(account), this.#clock());
  }

  #isYounger(atMs: number, ms: number): boolean {
    return this.#clock() - atMs < ms;
  }

  #forget(): void {
    this.#owners.clear();
    this.#rosterAtMs.clear();
  }
}
