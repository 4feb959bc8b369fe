import type { Dirent, Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

import pLimit from "p-limit";

import { SourceFault } from "../results/source-fault.ts";

/** A regular file and its path below a root, with `/` between the parts. */
export interface SourceFile {
  readonly path: string;
  readonly absolute: string;
  readonly size: number;
}

interface Target {
  readonly absolute: string;
  readonly stats: Stats;
}

interface Listing {
  readonly endings: readonly string[];
  /** Real paths of the entries that were visited. Links can form a cycle, so each folder is visited only once. */
  readonly met: Set<string>;
  readonly found: SourceFile[];
}

/** The number of entries processed at a time, because a folder can have very many. */
const entriesAtOnce = 16;

/** The maximum depth of the folders that are read, and the maximum number of entries in total. */
const bounds = { depth: 6, entries: 20_000 } as const;

/** A read-only view of a directory. It skips hidden entries and links that lead outside, and ignores case. */
export class Folder {
  /** The real path, with all links resolved. */
  readonly root: string;
  /** Relative to the opened folder; empty for that folder itself. */
  readonly path: string;
  /** The real path of the opened folder. Links must stay within it. */
  readonly #boundary: string;

  private constructor(root: string, under: string, boundary: string) {
    this.root = root;
    this.path = under;
    this.#boundary = boundary;
  }

  /** @throws {SourceFault} NOT_FOUND if it is not a readable directory */
  static async open(given: string): Promise<Folder> {
    try {
      const root = await realpath(path.resolve(given));
      await readdir(root);
      return new Folder(root, "", root);
    } catch (error) {
      throw new SourceFault("NOT_FOUND", `${given}: ${describeError(error)}`);
    }
  }

  async folder(...names: readonly string[]): Promise<Folder | undefined> {
    const [first, ...rest] = names;
    if (first === undefined) return this;
    return (await this.#child(first))?.folder(...rest);
  }

  /** Returns the direct subfolders. */
  async folders(): Promise<Folder[]> {
    const entries = await this.#entries();
    const all = await pLimit(entriesAtOnce).map(entries, (entry) => this.#enter(entry));
    return all.filter((folder) => folder !== undefined);
  }

  async file(name: string): Promise<SourceFile | undefined> {
    for (const entry of await this.#named(name)) {
      const file = await this.#read(entry.name);
      if (file) return file;
    }
    return undefined;
  }

  /** Lists files with these endings by path, also in subfolders. A file behind several links occurs once. */
  async files(endings: readonly string[], depth: number = bounds.depth): Promise<SourceFile[]> {
    const listing: Listing = { endings, met: new Set([this.root]), found: [] };
    await this.#collect("", depth, listing);
    return listing.found.toSorted((one, other) => compareBytes(one.path, other.path));
  }

  async #collect(under: string, depth: number, listing: Listing): Promise<void> {
    const { endings, met, found } = listing;
    for (const entry of await entriesOf(path.join(this.root, under))) {
      const name = path.posix.join(under, entry.name);
      const target = await this.#locate(name);
      const isFolder = target?.stats.isDirectory() === true;
      if (!target || met.has(target.absolute) || (isFolder && depth === 1)) continue;
      met.add(target.absolute);
      if (met.size > bounds.entries) {
        throw new SourceFault("TOO_LARGE", `more than ${bounds.entries} files and folders`);
      }
      if (isFolder) await this.#collect(name, depth - 1, listing);
      const fits = endings.some((ending) => entry.name.toLowerCase().endsWith(ending));
      if (fits && target.stats.isFile()) found.push(this.#fileOf(name, target));
    }
  }

  async #child(name: string): Promise<Folder | undefined> {
    for (const entry of await this.#named(name)) {
      const folder = await this.#enter(entry);
      if (folder) return folder;
    }
    return undefined;
  }

  async #enter({ name }: Dirent): Promise<Folder | undefined> {
    const target = await this.#locate(name);
    if (!target?.stats.isDirectory()) return undefined;
    return new Folder(target.absolute, path.posix.join(this.path, name), this.#boundary);
  }

  async #read(name: string): Promise<SourceFile | undefined> {
    const target = await this.#locate(name);
    return target?.stats.isFile() ? this.#fileOf(name, target) : undefined;
  }

  #fileOf(name: string, { absolute, stats }: Target): SourceFile {
    return { path: path.posix.join(this.path, name), absolute, size: stats.size };
  }

  /** Entries with that name in any case: the exact match first, then in byte order. */
  async #named(name: string): Promise<Dirent[]> {
    const exactness = (entry: Dirent): number => Number(entry.name === name);
    return (await this.#entries())
      .filter((entry) => isSame(entry.name, name))
      .toSorted((one, other) => exactness(other) - exactness(one));
  }

  #entries(): Promise<Dirent[]> {
    return entriesOf(this.root);
  }

  /** Resolves a name; undefined for a link that is broken or leads outside the opened folder. */
  async #locate(name: string): Promise<Target | undefined> {
    try {
      const absolute = await realpath(path.join(this.root, name));
      if (!isWithin(this.#boundary, absolute)) return undefined;
      return { absolute, stats: await stat(absolute) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new SourceFault("NOT_FOUND", `${name}: ${describeError(error)}`);
    }
  }
}

async function entriesOf(absolute: string): Promise<Dirent[]> {
  const entries = await readdir(absolute, { withFileTypes: true }).catch((error: unknown) => {
    throw new SourceFault("NOT_FOUND", `${absolute}: ${describeError(error)}`);
  });
  return entries
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((one, other) => compareBytes(one.name, other.name));
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const isWithin = (root: string, absolute: string): boolean =>
  absolute === root || absolute.startsWith(root.endsWith(path.sep) ? root : root + path.sep);

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ELOOP", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

export const compareBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Describes a failed system call in words, without the name of the call. */
export const describeError = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return described[code ?? ""] ?? message;
};

const described: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  ENOTDIR: "it is not a directory",
  EACCES: "the process may not read it",
  EPERM: "the process may not read it",
  ELOOP: "its symbolic links form a circle",
  ENAMETOOLONG: "the path is too long",
};
