import type { Sequelize } from "sequelize";

import { executeStatement, rows } from "../../platform/db/rows.ts";
import { toPlainText } from "../../platform/texts/plain-text.ts";
import { cleanDocument } from "../plain-texts.ts";

/** A column of texts from game servers. Some rows were stored before ingest cleaned texts. */
interface GameTextColumn {
  readonly table: string;
  readonly column: string;
  /** Types of the primary key's columns, in order. */
  readonly key: Readonly<Record<string, "integer" | "text">>;
  readonly type: "text" | "jsonb";
  /** A condition that selects the rows that came from a game server. */
  readonly only?: string;
  clean(this: void, text: string): string;
}

const named = {
  column: "name",
  type: "text",
  clean: (text: string) => toPlainText(text, 500),
} as const;

/** CATALOGUE of columns whose texts are kept longer than events. */
const gameTextColumns: readonly GameTextColumn[] = [
  { ...named, table: "survival_sightings", key: { server_id: "integer", steam_id: "text" } },
  { ...named, table: "survival_tallies", key: { wipe_id: "integer", steam_id: "text" } },
  { ...named, table: "survival_clans", key: { id: "integer" } },
  {
    ...named,
    table: "survival_clans",
    column: "motd",
    key: { id: "integer" },
    clean: (text) => toPlainText(text, 2_000),
  },
  { ...named, table: "survival_clan_members", key: { clan_row_id: "integer", steam_id: "text" } },
  {
    ...named,
    table: "survival_clan_members",
    column: "role_name",
    key: { clan_row_id: "integer", steam_id: "text" },
  },
  { ...named, table: "steam_links", key: { steam_id: "text" } },
  {
    table: "survival_npc_revisions",
    column: "document",
    key: { profile_id: "integer", revision: "integer" },
    type: "jsonb",
    only: "origin = 'server'",
    clean: (text) => JSON.stringify(cleanDocument(JSON.parse(text) as Record<string, unknown>)),
  },
];

const page = 500;

/** Cleans texts that older releases stored without cleaning. @returns the number of changed texts */
export async function cleanStoredTexts(sequelize: Sequelize): Promise<number> {
  let cleaned = 0;
  for (const column of gameTextColumns) cleaned += await cleanColumn(column, sequelize);
  return cleaned;
}

interface GameText {
  readonly key: readonly (string | number)[];
  readonly text: string;
}

async function cleanColumn(column: GameTextColumn, sequelize: Sequelize): Promise<number> {
  let cleaned = 0;
  let last: GameText["key"] = [];
  for (let found = page; found === page;) {
    const texts = await rows<GameText>(sequelize, selectAfter(column, last), last);
    for (const told of texts) cleaned += await cleanText(column, told, sequelize);
    found = texts.length;
    last = texts.at(-1)?.key ?? last;
  }
  return cleaned;
}

/** Updates one row per statement: a statement for several rows could deadlock with ingest. */
async function cleanText(
  { table, column, key, type, clean }: GameTextColumn,
  { key: values, text }: GameText,
  sequelize: Sequelize,
): Promise<number> {
  const plain = clean(text);
  if (plain === text) return 0;
  const isRow = Object.keys(key).map((name, at) => `${name} = $${at + 3}`);
  return executeStatement(
    sequelize,
    `update ${table} set ${column} = $2::${type}
     where ${column} = $1::${type} and ${column} <> $2::${type} and ${isRow.join(" and ")}`,
    [text, plain, ...values],
  );
}

/** Brackets, control characters, invisible characters and marks of writing direction. */
const unsafeCharacters = String.raw`[<\[\u0001-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]`;

function selectAfter(
  { table, column, key, only = "true" }: GameTextColumn,
  last: GameText["key"],
): string {
  const names = Object.keys(key).join();
  const values = Object.values(key).map((type, at) => `$${at + 1}::${type}`);
  const isAfter = last.length > 0 ? `(${names}) > (${values.join()})` : "true";
  return `
    select jsonb_build_array(${names}) as key, ${column}::text as text from ${table}
    where ${column}::text ~ '${unsafeCharacters}' and ${only} and ${isAfter}
    order by ${names} limit ${page}`;
}
