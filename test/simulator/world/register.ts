import type { RandomSource } from "../random.ts";

/**
 * A map from which a random entry can be drawn in constant time. The same seed draws the same
 * entries.
 */
export class RandomPickMap<K, V> {
  readonly #placeOf = new Map<K, number>();
  readonly #entries: [K, V][] = [];

  get size(): number {
    return this.#entries.length;
  }

  get(key: K): V | undefined {
    const place = this.#placeOf.get(key);
    return place === undefined ? undefined : this.#entries[place]?.[1];
  }

  has(key: K): boolean {
    return this.#placeOf.has(key);
  }

  set(key: K, value: V): void {
    const place = this.#placeOf.get(key);
    if (place !== undefined) {
      this.#entries[place] = [key, value];
      return;
    }
    this.#placeOf.set(key, this.#entries.length);
    this.#entries.push([key, value]);
  }

  /** Deletes an entry. The last entry takes its place. */
  delete(key: K): boolean {
    const place = this.#placeOf.get(key);
    if (place === undefined) return false;
    const last = this.#entries.pop() as [K, V];
    this.#placeOf.delete(key);
    if (last[0] === key) return true;
    this.#entries[place] = last;
    this.#placeOf.set(last[0], place);
    return true;
  }

  clear(): void {
    this.#placeOf.clear();
    this.#entries.length = 0;
  }

  entries(): readonly (readonly [K, V])[] {
    return this.#entries;
  }

  /** Replaces all entries. */
  load(entries: Iterable<readonly [K, V]>): void {
    this.clear();
    for (const [key, value] of entries) this.set(key, value);
  }

  keys(): K[] {
    return this.#entries.map(([key]) => key);
  }

  values(): V[] {
    return this.#entries.map(([, value]) => value);
  }

  /** Returns a random value, or undefined if there is none. */
  pick(random: RandomSource): V | undefined {
    return this.size === 0 ? undefined : random.pick(this.#entries)[1];
  }

  /** Draws up to sixteen values. @returns the first one that fits, or undefined */
  pickWhere(random: RandomSource, claim: (value: V) => boolean): V | undefined {
    for (let draw = 0; draw < 16; draw++) {
      const value = this.pick(random);
      if (value !== undefined && claim(value)) return value;
    }
    return undefined;
  }
}
