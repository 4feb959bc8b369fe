import type { Random } from "../random.ts";

/** A map whose entries can also be drawn at random, in constant time and the same for a seed. */
export class Register<K, V> {
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

  /** The last entry moves into the place of the one that went. */
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

  /** Holds these and nothing else. */
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

  /** One at random; undefined when there is none. */
  pick(random: Random): V | undefined {
    return this.size === 0 ? undefined : random.pick(this.#entries)[1];
  }

  /** One at random of which the claim is true; undefined when sixteen draws found none. */
  pickWhere(random: Random, claim: (value: V) => boolean): V | undefined {
    for (let draw = 0; draw < 16; draw++) {
      const value = this.pick(random);
      if (value !== undefined && claim(value)) return value;
    }
    return undefined;
  }
}
