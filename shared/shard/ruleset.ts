import { QueryTypes, type Sequelize } from "sequelize";

import { findKind } from "./kinds.ts";
import { type Fields, show } from "./view.ts";

/** The world's rules as they are published; null while the shard never published them. */
export async function readRuleset(sequelize: Sequelize): Promise<Fields | null> {
  const [row] = await sequelize.query<{ value: Fields }>(
    "select value from shard_facts where name = 'ruleset'",
    { type: QueryTypes.SELECT },
  );
  if (!row) return null;
  const view = findKind("world.ruleset")?.view ?? {};
  return show(view, row.value, () => false);
}
