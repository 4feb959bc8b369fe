import type { InferAttributes } from "sequelize";

import type { ListingLabel } from "../../../models/market/listing-label.ts";
import type { ListingName } from "../../../models/market/listing-name.ts";
import { columnNamesSql, jsonRowValuesSql, jsonRowsSql } from "../../platform/db/sql-text.ts";

type LabelAttributes = InferAttributes<ListingLabel>;

/** The stored fields of a label: its literal name or cliloc with arguments, and its display name. */
export type StoredLabel = Pick<LabelAttributes, "id" | "name" | "cliloc" | "args" | "displayName">;

export type LabelId = Pick<LabelAttributes, "id" | "key">;

/** Selects the ids of labels by key, as `LabelId`. */
export const selectLabelIdsSql = {
  name: "market labels",
  text: "select id, key from listing_labels where key = any($1::uuid[])",
};

/** CATALOGUE of the columns of a stored label. `nameColumns` are the columns of its stored name. */
const labelColumns = {
  key: "uuid",
  name: "text",
  cliloc: "integer",
  args: "text",
  displayName: "text",
} as const satisfies Partial<Record<keyof LabelAttributes, string>>;
const nameColumns = {
  listings: "integer",
  searchName: "text",
} as const satisfies Partial<Record<keyof InferAttributes<ListingName>, string>>;

export type NewLabel = Pick<LabelAttributes, keyof typeof labelColumns> &
  Pick<InferAttributes<ListingName>, keyof typeof nameColumns>;

/** Stores new labels from a JSON array of `NewLabel`, and returns their ids as `LabelId`. */
export const insertLabelsSql = {
  name: "market add labels",
  text: `
    with given as (
      select * from ${jsonRowsSql("$1", { ...labelColumns, ...nameColumns })}
    ), label as (
      insert into listing_labels (${columnNamesSql(labelColumns)})
      select ${jsonRowValuesSql(labelColumns)} from given
      returning id, key
    ), named as (
      insert into listing_names (label_id, ${columnNamesSql(nameColumns)})
      select label.id, ${jsonRowValuesSql(nameColumns)} from label join given using (key)
    )
    select id, key from label`,
};

/** Adds to each label the change in its number of listings. */
export const addLabelUsageSql = {
  name: "market label usage",
  text: `update listing_names set listings = listings + by
         from unnest($1::integer[], $2::integer[]) as change (id, by) where label_id = id`,
};

export const deleteUnusedLabelsSql = {
  name: "market unused labels",
  text: `with unused as (
           delete from listing_names where label_id = any($1::integer[]) and listings = 0
           returning label_id
         )
         delete from listing_labels using unused where id = label_id`,
};

/** Selects the next labels, by id, whose name comes from a cliloc, as `StoredLabel`. */
export const selectClilocLabelsSql = `
  select id, name, cliloc, args, display_name as "displayName" from listing_labels
  where id > $1 and name is null order by id limit $2`;

export const renameLabelsSql = `
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

/** Invalidates cached counts, because renamed labels match other searches. */
export const raiseMarketVersionSql = "update market_meta set version = version + 1";

export const selectClilocsSql =
  "select number, text from clilocs where number = any($1::integer[])";
