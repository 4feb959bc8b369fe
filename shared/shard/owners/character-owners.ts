import { accountKey } from "./link-mirror.ts";

/** How long the account of a character stays cached. */
const characterTtlMs = 5 * 60_000;
/** How long a fetched list of an account's characters is taken as complete. */
const rosterTtlMs = 30_000;
const maxCharacters = 50_000;

/**
 * Caches the account of each character to save calls. It grants no access: each character sheet is checked before
 * it is sent.
 */
export class CharacterOwnerCache {
  readonly #owners = new Map<string, { readonly key: string; readonly atMs: number }>();
  readonly #rosterAtMs = new Map<string, number>();
  readonly #clock: () => number;
  #bootId: string | null = null;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Clears the cache: after a crash the game restores an older save and reuses serials. */
  clearOnRestart(bootId: string | null): void {
    if (bootId === this.#bootId) return;
    this.#forget();
    this.#bootId = bootId;
  }

  /** Returns the key of the character's account; undefined if the cache has no recent entry. */
  ownerOf(serial: string): string | undefined {
    const known = this.#owners.get(serial);
    return known && this.#isYounger(known.atMs, characterTtlMs) ? known.key : undefined;
  }

  /** Returns true if the account's list of characters is recent. */
  knowsRosterOf(key: string): boolean {
    const atMs = this.#rosterAtMs.get(key);
    return atMs !== undefined && this.#isYounger(atMs, rosterTtlMs);
  }

  storeCharacter(serial: string, account: string): void {
    if (this.#owners.size >= maxCharacters) this.#forget();
    this.#owners.set(serial, { key: accountKey(account), atMs: this.#clock() });
  }

  storeRoster(account: string, serials: readonly string[]): void {
    for (const serial of serials) this.storeCharacter(serial, account);
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
