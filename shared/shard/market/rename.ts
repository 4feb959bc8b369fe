import type { Sql } from "../../db/sql.ts";
import { type Label, searchText } from "./label.ts";
import { resolveNames } from "./labels.ts";

/** Labels that are named at once, so that memory stays flat however many there are. */
const sliceSize = 2_000;

interface StoredLabel extends Omit<Label, "key"> {
  readonly id: number;
  readonly displayName: string | null;
}

/**
 * Names everything anew by the cliloc table as the transaction sees it; it belongs into the one
 * that changes the table. Only what is called otherwise than before is written.
 * @returns labels that bear another name now
 */
export async function reresolveNames(sql: Sql): Promise<number> {
  // Unnamed: a worker's connection may come from a pooler that hands the next statement to another.
  await sql.query("select from market_meta for update");
  let renamed = 0;
  for (let last = 0; ;) {
    const labels = await readSlice(last, sql);
    renamed += await renameSlice(labels, sql);
    const end = labels.at(-1);
    if (!end) break;
    last = end.id;
  }
  if (renamed > 0) await sql.query("update market_meta set version = version + 1");
  return renamed;
}

async function readSlice(after: number, sql: Sql): Promise<StoredLabel[]> {
  const { rows } = await sql.query<StoredLabel>(
    `select id, name, cliloc, args, display_name as "displayName" from listing_labels
     where id > $1 and name is null order by id limit $2`,
    [after, sliceSize],
  );
  return rows;
}

async function renameSlice(labels: readonly StoredLabel[], sql: Sql): Promise<number> {
  const names = await resolveNames(labels, sql);
  const moved = labels.flatMap(({ id, displayName }, at) => {
    const name = names[at] ?? null;
    return name === displayName ? [] : [{ id, name }];
  });
  if (moved.length === 0) return 0;
  const columns = [
    moved.map(({ id }) => id),
    moved.map(({ name }) => name),
    moved.map(({ name }) => name && searchText(name)),
  ];
  await sql.query(rename, columns);
  return moved.length;
}

const rename = `
  with renamed as (
    select * from unnest($1::integer[], $2::text[], $3::text[]) as renamed (id, name, search)
  ), labels as (
    update listing_labels set display_name = renamed.name
    from renamed where listing_labels.id = renamed.id
  ), names as (
    update listing_names set search_name = renamed.search
    from renamed where listing_names.label_id = renamed.id
  )
  update listings set search_name = renamed.search
  from renamed where listings.label_id = renamed.id`;
