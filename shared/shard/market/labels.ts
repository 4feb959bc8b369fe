import type { Sql } from "../../db/sql.ts";
import { readClilocTexts } from "../cliloc-text.ts";
import { displayName, type Label, searchText } from "./label.ts";

/** The ids of these labels by key; those that are new are named and stored, borne by nothing yet. */
export async function keepLabels(
  labels: readonly Label[],
  sql: Sql,
): Promise<ReadonlyMap<string, number>> {
  const ids = await readLabelIds(
    labels.map(({ key }) => key),
    sql,
  );
  const fresh = labels.filter(({ key }) => !ids.has(key));
  for (const { id, key } of await storeLabels(fresh, sql)) ids.set(key, id);
  return ids;
}

interface LabelRow {
  readonly id: number;
  readonly key: string;
}

async function readLabelIds(keys: readonly string[], sql: Sql): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql.query<LabelRow>({
    name: "market labels",
    text: `select id, replace(key::text, '-', '') as key
           from listing_labels where key = any($1::uuid[])`,
    values: [keys],
  });
  return new Map(rows.map(({ id, key }) => [key, id]));
}

async function storeLabels(labels: readonly Label[], sql: Sql): Promise<LabelRow[]> {
  if (labels.length === 0) return [];
  const names = await resolveNames(labels, sql);
  const { rows } = await sql.query<LabelRow>(
    `with label as (
       insert into listing_labels (key, name, cliloc, args, display_name)
       select key, name, cliloc, args, display_name
       from unnest($1::uuid[], $2::text[], $3::integer[], $4::text[], $5::text[])
         as label (key, name, cliloc, args, display_name)
       returning id, key
     ), name as (
       insert into listing_names (label_id, listings, search_name)
       select id, 0, search_name
       from label join unnest($1::uuid[], $6::text[]) as given (key, search_name) using (key)
     )
     select id, replace(key::text, '-', '') as key from label`,
    [
      labels.map(({ key }) => key),
      labels.map(({ name }) => name),
      labels.map(({ cliloc }) => cliloc),
      labels.map(({ args }) => args),
      names,
      names.map((name) => name && searchText(name)),
    ],
  );
  return rows;
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

/** Counts listings to or from labels by their ids; a label that nothing bears any more is gone. */
export async function countBorne(changes: ReadonlyMap<number, number>, sql: Sql): Promise<void> {
  if (changes.size === 0) return;
  await sql.query({
    name: "market borne",
    text: `update listing_names set listings = listings + by
           from unnest($1::integer[], $2::integer[]) as change (id, by) where label_id = id`,
    values: [[...changes.keys()], [...changes.values()]],
  });
  const fewer = [...changes].filter(([, by]) => by < 0).map(([id]) => id);
  if (fewer.length === 0) return;
  await sql.query({
    name: "market idle labels",
    text: `delete from listing_labels where id in (
             select label_id from listing_names
             where label_id = any($1::integer[]) and listings = 0)`,
    values: [fewer],
  });
}
