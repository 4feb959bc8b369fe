import type { Sequelize } from "sequelize";

import { rows } from "../../platform/db/rows.ts";
import { scopeValues, type WorldScope, findRankingScope } from "./scope.ts";
import type { ScoreTable } from "./score-tables.sql.ts";
import { selectRanksSql, selectUncachedRanksSql } from "./score-tables.sql.ts";

export interface RankedPlayer {
  readonly steamId: string;
  readonly key: string;
  readonly value: number;
  readonly rank: number;
}

interface Row extends RankedPlayer {
  readonly isKept: boolean;
}

/** Reads the values of players in the requested worlds, with their ranks. */
export async function readRanks(
  figures: ScoreTable,
  steamIds: readonly string[],
  scope: WorldScope,
  sequelize: Sequelize,
): Promise<readonly RankedPlayer[]> {
  const board = await findRankingScope(scope, sequelize);
  if (!board || steamIds.length === 0) return [];
  const values = [...scopeValues(scope), steamIds];
  const found = await rows<Row>(sequelize, selectRanksSql(figures, board.kind), [
    ...values,
    board.name,
  ]);
  if (found.every(({ isKept }) => isKept)) return found;
  return rows<RankedPlayer>(sequelize, selectUncachedRanksSql(figures), values);
}
