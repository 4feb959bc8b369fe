import { analyze, countChanged, type Database, rows } from "../../platform/db/rows.ts";
import { type ClilocTexts, fillCliloc, readClilocTexts } from "./cliloc-text.ts";
import { digestOf } from "./digest.ts";
import {
  addLabelUsageSql,
  deleteUnusedLabelsSql,
  insertLabels,
  type LabelId,
  type NewLabel,
  raiseMarketVersionSql,
  renameLabels,
  selectClilocLabels,
  selectLabelIds,
  type StoredLabel,
} from "./labels.sql.ts";
import { lockMarketSql } from "./vendors.sql.ts";

/** The label of a listing: its literal name, or a cliloc with its arguments. */
export interface Label {
  readonly key: string;
  readonly name: string | null;
  readonly cliloc: number | null;
  readonly args: string | null;
}

interface NameSource {
  readonly name?: string | null | undefined;
  readonly cliloc?: number | null | undefined;
  readonly args?: string | null | undefined;
}

/** Longer names do not fit into an index entry, and no list displays them. */
const maxNameLength = 500;

/** Returns the label of a listing. Listings with the same name share a label and its key. */
export function labelOf(named: NameSource): Label {
  const name = named.name?.trim() ? named.name : null;
  const cliloc = named.cliloc ?? null;
  // Drop arguments of a literal name: they have no effect and would split a name into many labels.
  const args = (name === null && cliloc !== null && named.args) || null;
  return { key: digestOf([name, cliloc, args]), name, cliloc, args };
}

/** Returns the name that a player reads; null if it is a cliloc's and no loaded table has that text. */
export function displayName(label: Omit<Label, "key">, texts: ClilocTexts): string | null {
  if (label.name !== null) return label.name;
  if (label.cliloc === null) return null;
  const text = fillCliloc({ number: label.cliloc, args: label.args }, texts);
  return text?.slice(0, maxNameLength).toWellFormed() ?? null;
}

/** Converts names and search terms to a form that ignores case in all scripts. */
export const searchText = (text: string): string =>
  // A final sigma has its own lower case and would hide the end of a word inside a longer word.
  text.toLowerCase().replaceAll("ς", "σ");

/** Collects changes in the use of labels during a transaction. Each label is updated once, at the end. */
export class LabelUsage {
  readonly #database: Database;
  readonly #changes = new Map<number, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds a use of each label and stores new ones. @returns the ids of the labels by key */
  async take(labels: readonly Label[]): Promise<ReadonlyMap<string, number>> {
    const usage = Map.groupBy(labels, ({ key }) => key);
    if (usage.size === 0) return new Map();
    const known = await rows<LabelId>(this.#database, selectLabelIds, [[...usage.keys()]]);
    for (const { id, key } of known) this.#change(id, usage.get(key)?.length ?? 0);
    const ids = new Map(known.map(({ id, key }) => [key, id]));
    const newLabels = [...usage].flatMap(([key, uses]) => (ids.has(key) ? [] : [uses]));
    for (const { id, key } of await this.#store(newLabels)) ids.set(key, id);
    return ids;
  }

  /** Removes one use for each given id. */
  release(ids: readonly number[]): void {
    for (const id of ids) this.#change(id, -1);
  }

  /** Stores the counted changes and deletes labels without listings. */
  async save(): Promise<void> {
    const changes = [...this.#changes].filter(([, by]) => by !== 0);
    if (changes.length === 0) return;
    const columns = [changes.map(([id]) => id), changes.map(([, by]) => by)];
    await countChanged(this.#database, addLabelUsageSql, columns);
    const fewer = changes.flatMap(([id, by]) => (by < 0 ? [id] : []));
    if (fewer.length > 0) await countChanged(this.#database, deleteUnusedLabelsSql, [fewer]);
  }

  #change(id: number, by: number): void {
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + by);
  }

  /** @param newLabels one list per new label, with one entry for each of its listings */
  async #store(newLabels: readonly (readonly Label[])[]): Promise<LabelId[]> {
    if (newLabels.length === 0) return [];
    const labels = newLabels.flatMap(([label]) => label ?? []);
    const names = await resolveNames(labels, this.#database);
    const given = labels.map((label, at): NewLabel => {
      const name = names[at] ?? null;
      const listings = newLabels[at]?.length ?? 0;
      return { ...label, displayName: name, searchName: name && searchText(name), listings };
    });
    return rows<LabelId>(this.#database, insertLabels, [JSON.stringify(given)]);
  }
}

/** Returns the display name of each label from the loaded texts. */
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

/** Labels to read and rename at once, which limits memory. */
const batchSize = 2_000;

/**
 * Renames all labels from the cliloc table that the transaction sees; call it in the transaction that
 * changes the table. It writes only labels whose name changed.
 * @returns the number of renamed labels
 */
export async function renameAllLabels(database: Database): Promise<number> {
  await rows(database, lockMarketSql);
  let renamed = 0;
  for (let last = 0; ;) {
    const labels = await rows<StoredLabel>(database, selectClilocLabels, [last, batchSize]);
    renamed += await renameSlice(labels, database);
    const end = labels.at(-1);
    if (!end) break;
    last = end.id;
  }
  if (renamed === 0) return 0;
  await countChanged(database, raiseMarketVersionSql);
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
