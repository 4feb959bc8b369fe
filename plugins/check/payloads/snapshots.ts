import { snapshotFamilies } from "../../../shared/shard/kinds/live-states.ts";

type Fields = Readonly<Record<string, unknown>>;

interface OpenSnapshot {
  readonly id: unknown;
  readonly pages: unknown;
  readonly count: unknown;
  readonly seen: Set<unknown>;
  rows: number;
}

const kindPattern = new RegExp(`^(${snapshotFamilies.join("|")})\\.snapshot\\.(begin|page|end)$`);

export type SnapshotStep = { readonly wrong: string } | { readonly whole: string } | undefined;

export class SnapshotTracker {
  readonly #open = new Map<string, OpenSnapshot>();
  /**
   * Families whose snapshot began before the current buffer, so that its pages may arrive without their begin
   * event.
   */
  readonly #torn = new Set<string>();

  /** Processes an event of a snapshot. @returns a fault, a complete snapshot, or undefined */
  accept(kind: string, payload: Fields): SnapshotStep {
    const [, family, part] = kindPattern.exec(kind) ?? [];
    if (family === undefined) return undefined;
    if (part === "begin") return this.#begin(family, payload);
    const open = this.#open.get(family);
    const { snapshotId } = payload;
    if (!open && this.#torn.has(family)) return undefined;
    if (!open || open.id !== snapshotId) {
      return { wrong: `${kind} of a snapshot that did not begin` };
    }
    return part === "page" ? addPage(open, payload) : this.#end(family, open);
  }

  /** Discards unfinished snapshots, because a new buffer began. The site ignores their remaining pages. */
  clear(): void {
    for (const family of this.#open.keys()) this.#torn.add(family);
    this.#open.clear();
  }

  /** A begin event replaces a snapshot of the family that has no end yet. */
  #begin(family: string, { snapshotId: id, pages, count }: Fields): undefined {
    this.#torn.delete(family);
    this.#open.set(family, { id, pages, count, seen: new Set(), rows: 0 });
  }

  #end(family: string, { pages, count, seen, rows }: OpenSnapshot): SnapshotStep {
    this.#open.delete(family);
    if (seen.size !== pages) {
      return { wrong: `an end after ${seen.size} of ${String(pages)} pages` };
    }
    if (rows !== count) {
      return { wrong: `${rows} rows, but a begin with the count ${String(count)}` };
    }
    return { whole: family };
  }
}

function addPage(open: OpenSnapshot, { page, rows }: Fields): SnapshotStep {
  const isPage = Number.isInteger(page) && Number(page) >= 1 && Number(page) <= Number(open.pages);
  if (!isPage) return { wrong: `page ${String(page)} of ${String(open.pages)}` };
  if (open.seen.has(page)) return { wrong: `page ${String(page)} twice` };
  open.seen.add(page);
  open.rows += Array.isArray(rows) ? rows.length : 0;
  return undefined;
}
