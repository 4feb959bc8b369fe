import { hash } from "node:crypto";

import { analyzeTables, executeStatement, type Database, rows } from "../../platform/db/rows.ts";
import { renderClilocText, readClilocTexts } from "./cliloc-text.ts";
import {
  addLabelUsageSql,
  deleteUnusedLabelsSql,
  insertLabelsSql,
  type LabelId,
  type NewLabel,
  raiseMarketVersionSql,
  renameLabelsSql,
  selectClilocLabelsSql,
  selectLabelIdsSql,
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

/** Converts names and search terms to a form that ignores case in all scripts. */
export const normalizeSearchText = (text: string): string =>
  // Replace a final sigma by the usual one; otherwise a search for a whole word would not match a longer word.
  text.toLowerCase().replaceAll("ς", "σ");

/** Collects changes in the use of labels during a transaction. Each label is updated once, at the end. */
export class LabelUsage {
  readonly #database: Database;
  readonly #changes = new Map<number, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds a use of each label and stores new labels. @returns the ids of the labels by key */
  async take(labels: readonly Label[]): Promise<ReadonlyMap<string, number>> {
    const uses = Map.groupBy(labels, ({ key }) => key);
    if (uses.size === 0) return new Map();
    const known = await rows<LabelId>(this.#database, selectLabelIdsSql, [[...uses.keys()]]);
    const ids = new Map(known.map(({ id, key }) => [key, id]));
    for (const { id, key } of known) this.#change(id, uses.get(key)?.length ?? 0);
    const unknown = [...uses.values()].flatMap(([label, ...others]) =>
      label && !ids.has(label.key) ? [{ ...label, listings: 1 + others.length }] : [],
    );
    if (unknown.length === 0) return ids;
    const named: NewLabel[] = await nameLabels(unknown, this.#database);
    const added = await rows<LabelId>(this.#database, insertLabelsSql, [JSON.stringify(named)]);
    for (const { id, key } of added) ids.set(key, id);
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
    await executeStatement(this.#database, addLabelUsageSql, columns);
    const fewer = changes.flatMap(([id, by]) => (by < 0 ? [id] : []));
    if (fewer.length > 0) await executeStatement(this.#database, deleteUnusedLabelsSql, [fewer]);
  }

  #change(id: number, by: number): void {
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + by);
  }
}

interface LabelName {
  /** The name that a player reads; null if no loaded table has the text of the label's cliloc. */
  readonly displayName: string | null;
  readonly searchName: string | null;
}

/** Adds the names to labels, from the loaded texts. */
async function nameLabels<Nameless extends Omit<Label, "key">>(
  labels: readonly Nameless[],
  database: Database,
): Promise<(Omit<Nameless, "displayName"> & LabelName)[]> {
  const clilocs = labels.map(({ name, cliloc, args }) =>
    name === null && cliloc !== null ? { number: cliloc, args } : null,
  );
  const texts = await readClilocTexts(
    clilocs.filter((one) => one !== null),
    database,
  );
  return labels.map((label, at) => {
    const cliloc = clilocs[at];
    const text = cliloc ? renderClilocText(cliloc, texts) : null;
    const displayName = label.name ?? text?.slice(0, maxNameLength).toWellFormed() ?? null;
    return { ...label, displayName, searchName: displayName && normalizeSearchText(displayName) };
  });
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
    const labels = await rows<StoredLabel>(database, selectClilocLabelsSql, [last, batchSize]);
    renamed += await renameSlice(labels, database);
    const end = labels.at(-1);
    if (!end) break;
    last = end.id;
  }
  if (renamed === 0) return 0;
  await executeStatement(database, raiseMarketVersionSql);
  await analyzeTables(["listings (search_name)", "listing_labels", "listing_names"], database);
  return renamed;
}

async function renameSlice(labels: readonly StoredLabel[], database: Database): Promise<number> {
  const named = await nameLabels(labels, database);
  const renamed = named.filter(({ displayName }, at) => displayName !== labels[at]?.displayName);
  if (renamed.length === 0) return 0;
  await executeStatement(database, renameLabelsSql, [
    renamed.map(({ id }) => id),
    renamed.map(({ displayName }) => displayName),
    renamed.map(({ searchName }) => searchName),
  ]);
  return renamed.length;
}

/** Characters of a digest's first half, including hyphens. */
const digestHalf = 19;

export const haveSameGroupDigest = (one: string, other: string): boolean =>
  one.slice(0, digestHalf) === other.slice(0, digestHalf);

/**
 * A 128-bit hash of a value, formatted as a uuid of PostgreSQL.
 * @param groupDigest a digest whose first half replaces that of the hash, so that each half can be compared
 */
export function digestOf(value: unknown, groupDigest = ""): string {
  const hex = hash("sha256", JSON.stringify(value), "hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  const digest = `${parts.join("-")}-${hex.slice(20, 32)}`;
  const firstHalf = groupDigest.slice(0, digestHalf);
  return firstHalf + digest.slice(firstHalf.length);
}
