import type { Database } from "../../platform/db/rows.ts";
import { readClilocTexts } from "./cliloc-text.ts";
import { displayName, type Label, searchText } from "./label.ts";
import { addUsage, deleteUnused, insertLabels, type LabelId, readLabelIds } from "./labels-sql.ts";

/**
 * Which labels listings come to use and which no longer, over all writes of one transaction. A
 * common name comes in nearly every write, so the changes are counted once, at the end.
 */
export class LabelUsage {
  readonly #database: Database;
  readonly #changes = new Map<number, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Notes that listings use these labels, one label for each; new ones are named and stored.
   * @returns the labels' ids, by key
   */
  async take(labels: readonly Label[]): Promise<ReadonlyMap<string, number>> {
    const usage = Map.groupBy(labels, ({ key }) => key);
    const known = await readLabelIds([...usage.keys()], this.#database);
    for (const { id, key } of known) this.#change(id, usage.get(key)?.length ?? 0);
    const isKnown = new Set(known.map(({ key }) => key));
    const fresh = [...usage].filter(([key]) => !isKnown.has(key));
    const stored = await this.#store(fresh.map(([, uses]) => uses));
    return new Map([...known, ...stored].map(({ id, key }) => [key, id]));
  }

  /** Notes that listings use these labels no longer, one id for each. */
  release(ids: readonly number[]): void {
    for (const id of ids) this.#change(id, -1);
  }

  /** Counts what was noted; a label that no listing uses any more is deleted. */
  async save(): Promise<void> {
    const changes = [...this.#changes].filter(([, by]) => by !== 0);
    await addUsage(
      changes.map(([labelId, by]) => ({ labelId, by })),
      this.#database,
    );
    const fewer = changes.flatMap(([id, by]) => (by < 0 ? [id] : []));
    await deleteUnused(fewer, this.#database);
  }

  #change(id: number, by: number): void {
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + by);
  }

  /** @param fresh each new label as often as it is used; it is stored with that count */
  async #store(fresh: readonly (readonly Label[])[]): Promise<LabelId[]> {
    const labels = fresh.flatMap(([label]) => label ?? []);
    const names = await resolveNames(labels, this.#database);
    const given = labels.map((label, at) => {
      const name = names[at] ?? null;
      const listings = fresh[at]?.length ?? 0;
      return { ...label, displayName: name, searchName: name && searchText(name), listings };
    });
    return insertLabels(given, this.#database);
  }
}

/** The display name of each, by the texts that are loaded now. */
export async function resolveNames(
  labels: readonly Omit<Label, "key">[],
  database: Database,
): Promise<(string | null)[]> {
  const clilocs = labels.flatMap(({ name, cliloc, args }) =>
    name === null && cliloc !== null ? [{ number: cliloc, args }] : [],
  );
  const texts = await readClilocTexts(clilocs, database);
  return labels.map((label) => displayName(label, texts));
}
