import { analyze, countChanged, type Database, rows } from "../../platform/db/rows.ts";
import { type ClilocTexts, fillCliloc, readClilocTexts } from "./cliloc-text.ts";
import { digestOf } from "./digest.ts";
import {
  addUsage,
  deleteUnused,
  insertLabels,
  type LabelId,
  type NewLabel,
  raiseVersion,
  renameLabels,
  selectClilocLabels,
  selectLabelIds,
  type StoredLabel,
} from "./labels.sql.ts";
import { waitForMarket } from "./vendors.sql.ts";

/** What a listing is called by: its literal name if it has one, else a cliloc with its arguments. */
export interface Label {
  readonly key: string;
  readonly name: string | null;
  readonly cliloc: number | null;
  readonly args: string | null;
}

interface Named {
  readonly name?: string | null | undefined;
  readonly cliloc?: number | null | undefined;
  readonly args?: string | null | undefined;
}

/** Longer names would not fit into an index entry, and no list shows them. */
const longestName = 500;

/** Listings that are called alike share a label; its key is the same wherever it is made. */
export function labelOf(named: Named): Label {
  const name = named.name?.trim() ? named.name : null;
  const cliloc = named.cliloc ?? null;
  // With a literal name the arguments say nothing, and would split one name into many labels.
  const args = (name === null && cliloc !== null && named.args) || null;
  return { key: digestOf([name, cliloc, args]), name, cliloc, args };
}

/** The name a player reads; null when it is a cliloc's and no loaded table has that text. */
export function displayName(label: Omit<Label, "key">, texts: ClilocTexts): string | null {
  if (label.name !== null) return label.name;
  if (label.cliloc === null) return null;
  const text = fillCliloc({ number: label.cliloc, args: label.args }, texts);
  return text?.slice(0, longestName).toWellFormed() ?? null;
}

/** The form in which names and search terms are compared: without case, in any script. */
export const searchText = (text: string): string =>
  // Lower case writes a final sigma differently, which would hide a word's end inside a longer one.
  text.toLowerCase().replaceAll("ς", "σ");

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
    if (usage.size === 0) return new Map();
    const known = await rows<LabelId>(this.#database, selectLabelIds, [[...usage.keys()]]);
    for (const { id, key } of known) this.#change(id, usage.get(key)?.length ?? 0);
    const ids = new Map(known.map(({ id, key }) => [key, id]));
    const fresh = [...usage].flatMap(([key, uses]) => (ids.has(key) ? [] : [uses]));
    for (const { id, key } of await this.#store(fresh)) ids.set(key, id);
    return ids;
  }

  /** Notes that listings use these labels no longer, one id for each. */
  release(ids: readonly number[]): void {
    for (const id of ids) this.#change(id, -1);
  }

  /** Counts what was noted; a label that no listing uses any more is deleted. */
  async save(): Promise<void> {
    const changes = [...this.#changes].filter(([, by]) => by !== 0);
    if (changes.length === 0) return;
    const columns = [changes.map(([id]) => id), changes.map(([, by]) => by)];
    await countChanged(this.#database, addUsage, columns);
    const fewer = changes.flatMap(([id, by]) => (by < 0 ? [id] : []));
    if (fewer.length > 0) await countChanged(this.#database, deleteUnused, [fewer]);
  }

  #change(id: number, by: number): void {
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + by);
  }

  /** @param fresh each new label as often as it is used; it is stored with that count */
  async #store(fresh: readonly (readonly Label[])[]): Promise<LabelId[]> {
    if (fresh.length === 0) return [];
    const labels = fresh.flatMap(([label]) => label ?? []);
    const names = await resolveNames(labels, this.#database);
    const given = labels.map((label, at): NewLabel => {
      const name = names[at] ?? null;
      const listings = fresh[at]?.length ?? 0;
      return { ...label, displayName: name, searchName: name && searchText(name), listings };
    });
    return rows<LabelId>(this.#database, insertLabels, [JSON.stringify(given)]);
  }
}

/** The display name of each, by the texts that are loaded now. */
async function resolveNames(
  labels: readonly Omit<Label, "key">[],
  database: Database,
): Promise<(string | null)[]> {
  const clilocs = labels.flatMap(({ name, cliloc, args }) =>
    name === null && cliloc !== null ? [{ number: cliloc, args }] : [],
  );
  const texts = await readClilocTexts(clilocs, database);
  return labels.map((label) => displayName(label, texts));
}

/** Labels that are read and named at once, so that memory does not grow with the table. */
const sliceSize = 2_000;

/**
 * Names everything anew by the cliloc table as the transaction sees it; it belongs into the one
 * that changes the table. Only labels whose name changed are written.
 * @returns how many labels have another name now
 */
export async function reresolveNames(database: Database): Promise<number> {
  await rows(database, waitForMarket);
  let renamed = 0;
  for (let last = 0; ;) {
    const labels = await rows<StoredLabel>(database, selectClilocLabels, [last, sliceSize]);
    renamed += await renameSlice(labels, database);
    const end = labels.at(-1);
    if (!end) break;
    last = end.id;
  }
  if (renamed === 0) return 0;
  await countChanged(database, raiseVersion);
  await analyze(["listings (search_name)", "listing_labels", "listing_names"], database);
  return renamed;
}

async function renameSlice(labels: readonly StoredLabel[], database: Database): Promise<number> {
  const names = await resolveNames(labels, database);
  const renames = labels.flatMap(({ id, displayName: before }, at) => {
    const name = names[at] ?? null;
    return name === before ? [] : [{ id, displayName: name, searchName: name && searchText(name) }];
  });
  if (renames.length === 0) return 0;
  await countChanged(database, renameLabels, [
    renames.map(({ id }) => id),
    renames.map(({ displayName: name }) => name),
    renames.map(({ searchName }) => searchName),
  ]);
  return renames.length;
}
