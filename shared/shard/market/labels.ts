import type { Sql } from "../../db/sql.ts";
import { readClilocTexts } from "../cliloc-text.ts";
import { displayName, type Label, searchText } from "./label.ts";

/** How many listings more, or fewer, bear a label than before, by its id. */
export type Borne = ReadonlyMap<number, number>;

interface KeptLabels {
  /** By key. */
  readonly ids: ReadonlyMap<string, number>;
  /** Keys of those that were new: they are stored with what bears them. */
  readonly fresh: ReadonlySet<string>;
}

/**
 * The ids of these labels; those that are new are named and stored.
 * @param borne how many listings come to bear each, by key
 */
export async function keepLabels(
  labels: readonly Label[],
  borne: ReadonlyMap<string, number>,
  sql: Sql,
): Promise<KeptLabels> {
  const keys = labels.map(({ key }) => key);
  const ids = await readLabelIds(keys, sql);
  const fresh = labels.filter(({ key }) => !ids.has(key));
  for (const { id, key } of await storeLabels(fresh, borne, sql)) ids.set(key, id);
  return { ids, fresh: new Set(fresh.map(({ key }) => key)) };
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

async function storeLabels(
  labels: readonly Label[],
  borne: ReadonlyMap<string, number>,
  sql: Sql,
): Promise<LabelRow[]> {
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
       select id, listings, search_name
       from label join unnest($1::uuid[], $6::text[], $7::integer[])
         as given (key, search_name, listings) using (key)
     )
     select id, replace(key::text, '-', '') as key from label`,
    [
      labels.map(({ key }) => key),
      labels.map(({ name }) => name),
      labels.map(({ cliloc }) => cliloc),
      labels.map(({ args }) => args),
      names,
      names.map((name) => name && searchText(name)),
      labels.map(({ key }) => borne.get(key) ?? 0),
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
