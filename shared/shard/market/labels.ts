import type { Sql } from "../../db/sql.ts";
import { readClilocTexts } from "../cliloc-text.ts";
import { displayName, type Label, searchText } from "./label.ts";

/** How many listings more, or fewer, bear a label than before, by its id. */
export type Borne = ReadonlyMap<number, number>;

export interface KeptLabels {
  /** By key. */
  readonly ids: ReadonlyMap<string, number>;
  /** What is still to be counted: labels that were new are stored with their count. */
  readonly borne: Borne;
}

/** The ids of labels that listings come to bear, one for each; new ones are named and stored. */
export async function keepLabels(borne: readonly Label[], sql: Sql): Promise<KeptLabels> {
  const labels = new Map(borne.map((label) => [label.key, label]));
  const counts = countsOf(borne.map(({ key }) => key));
  const known = await readLabelIds([...labels.keys()], sql);
  const fresh = [...labels.values()].filter(({ key }) => !known.has(key));
  const stored = await storeLabels(fresh, counts, sql);
  return {
    ids: new Map([...known, ...stored]),
    borne: new Map([...known].map(([key, id]) => [id, counts.get(key) ?? 0])),
  };
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

interface LabelRow {
  readonly id: number;
  readonly key: string;
}

async function readLabelIds(keys: readonly string[], sql: Sql): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql.query<LabelRow>({
    name: "market labels",
    text: "select id, key from listing_labels where key = any($1::uuid[])",
    values: [keys],
  });
  return new Map(rows.map(({ id, key }) => [key, id]));
}

async function storeLabels(
  labels: readonly Label[],
  counts: ReadonlyMap<string, number>,
  sql: Sql,
): Promise<Map<string, number>> {
  if (labels.length === 0) return new Map();
  const names = await resolveNames(labels, sql);
  const rows = labels.map((label, at) => {
    const name = names[at] ?? null;
    const search = name === null ? null : searchText(name);
    return { ...label, display: name, search, listings: counts.get(label.key) };
  });
  const stored = await sql.query<LabelRow>({
    name: "market add labels",
    text: `
      with given as (
        select * from json_to_recordset($1) as given (key uuid, name text, cliloc integer,
          args text, display text, search text, listings integer)
      ), label as (
        insert into listing_labels (key, name, cliloc, args, display_name)
        select key, name, cliloc, args, display from given
        returning id, key
      ), named as (
        insert into listing_names (label_id, listings, search_name)
        select id, listings, search from label join given using (key)
      )
      select id, key from label`,
    values: [JSON.stringify(rows)],
  });
  return new Map(stored.rows.map(({ id, key }) => [key, id]));
}

/** The display name of each, by the texts that are loaded now. */
export async function resolveNames(
  labels: readonly Omit<Label, "key">[],
  sql: Sql,
): Promise<(string | null)[]> {
  const clilocs = labels.flatMap(({ name, cliloc, args }) =>
    name === null && cliloc !== null ? [{ number: cliloc, args }] : [],
  );
  const texts = await readClilocTexts(clilocs, sql);
  return labels.map((label) => displayName(label, texts));
}

/** Counts listings to or from labels; a label that nothing bears any more is forgotten. */
export async function countBorne(borne: Borne, sql: Sql): Promise<void> {
  const changes = [...borne].filter(([, by]) => by !== 0);
  if (changes.length === 0) return;
  await sql.query({
    name: "market borne",
    text: `update listing_names set listings = listings + by
           from unnest($1::integer[], $2::integer[]) as change (id, by) where label_id = id`,
    values: [changes.map(([id]) => id), changes.map(([, by]) => by)],
  });
  const fewer = changes.flatMap(([id, by]) => (by < 0 ? [id] : []));
  if (fewer.length === 0) return;
  await sql.query({
    name: "market idle labels",
    text: `with idle as (
             delete from listing_names where label_id = any($1::integer[]) and listings = 0
             returning label_id
           )
           delete from listing_labels using idle where id = label_id`,
    values: [fewer],
  });
}

/** Adds `more` to a sum that its owner goes on with. */
export function addBorne(sum: Map<number, number>, more: Borne): void {
  for (const [id, by] of more) sum.set(id, (sum.get(id) ?? 0) + by);
}
