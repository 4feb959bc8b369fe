/**
 * Lines of those that wait, in a tree of networks: each line has a path of keys from the widest network
 * to the address. A path is never the beginning of another one.
 */
export class WaitingTree<Item> {
  readonly #root = new Node<Item>();

  get size(): number {
    return this.#root.count;
  }

  /** How many wait in all lines below this path. */
  countOf(path: readonly string[]): number {
    return this.#root.find(path)?.count ?? 0;
  }

  add(path: readonly string[], item: Item): void {
    this.#root.add(path, item);
  }

  /** Takes out the next: on each level the networks take turns. */
  takeNext(): Item | undefined {
    return this.#root.takeNext();
  }

  /** Takes out the last of a line. */
  takeLast(line: readonly string[]): Item | undefined {
    return this.#root.takeLast(line);
  }

  /**
   * The line that would be the longest if one more came by `path`: on each level the network with the
   * most waiting, and of several the one the newcomer is part of.
   * @param below a beginning of `path` to which the search is limited
   */
  longestLine(path: readonly string[], below: readonly string[] = []): readonly string[] {
    const start = this.#root.find(below) ?? new Node<Item>();
    return [...below, ...start.longestLine(path.slice(below.length))];
  }
}

/** A network with the narrower ones in it, or a line. */
class Node<Item> {
  count = 0;
  readonly #line: Item[] = [];
  /** In the order of their turns. */
  readonly #parts = new Map<string, Node<Item>>();

  find([key, ...rest]: readonly string[]): Node<Item> | undefined {
    return key === undefined ? this : this.#parts.get(key)?.find(rest);
  }

  add([key, ...rest]: readonly string[], item: Item): void {
    this.count += 1;
    if (key === undefined) {
      this.#line.push(item);
      return;
    }
    const part = this.#parts.get(key) ?? new Node<Item>();
    this.#parts.set(key, part);
    part.add(rest, item);
  }

  takeNext(): Item | undefined {
    if (this.count === 0) return undefined;
    this.count -= 1;
    const [first] = this.#parts;
    if (!first) return this.#line.shift();
    const [key, part] = first;
    const item = part.takeNext();
    this.#parts.delete(key);
    if (part.count > 0) this.#parts.set(key, part);
    return item;
  }

  takeLast([key, ...rest]: readonly string[]): Item | undefined {
    if (this.count === 0) return undefined;
    const part = key === undefined ? undefined : this.#parts.get(key);
    const item = part ? part.takeLast(rest) : this.#line.pop();
    if (item === undefined) return undefined;
    this.count -= 1;
    if (key !== undefined && part?.count === 0) this.#parts.delete(key);
    return item;
  }

  longestLine([key, ...rest]: readonly string[]): readonly string[] {
    if (key === undefined) return this.#longestOfAll();
    const own = this.#parts.get(key);
    const [longest, part] = this.#longestPart();
    if (longest === undefined || !part || part.count <= (own?.count ?? 0) + 1) {
      return [key, ...(own ? own.longestLine(rest) : rest)];
    }
    return [longest, ...part.#longestOfAll()];
  }

  #longestOfAll(): readonly string[] {
    const [key, part] = this.#longestPart();
    return key === undefined || !part ? [] : [key, ...part.#longestOfAll()];
  }

  #longestPart(): readonly [string, Node<Item>] | readonly [] {
    let longest: readonly [string, Node<Item>] | readonly [] = [];
    let most = 0;
    for (const [key, part] of this.#parts) {
      if (part.count <= most) continue;
      most = part.count;
      longest = [key, part];
    }
    return longest;
  }
}
