import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import { wordArraySql } from "../../platform/db/sql-text.ts";
import type { FrameHandlerContext, FrameHandlers, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { countedStats, type StatName } from "../kinds/stat-names.ts";
import { updateKillLeader } from "./kill-leader.ts";
import {
  insertScoreWarningSql,
  raiseScoresSql,
  selectTallyKeysSql,
  selectWipeSql,
  upsertTalliesSql,
} from "./players.sql.ts";
import { recordSightings } from "./sightings.ts";

type Tallies = SurvivalPayload<"player.tally">;
type Tally = Tallies["tallies"][number];

export const tallyHandlers: FrameHandlers = { "player.tally": storeTallies };

/** Stores statistics of a known world. Lower values change nothing, so frames may repeat. */
async function storeTallies(
  { payload: { saveId, tallies }, t }: ReceivedFrame<Tallies>,
  ground: FrameHandlerContext,
): Promise<void> {
  const { serverId, connection, context, room } = ground;
  const wipe = await firstRow<Pick<SurvivalWipe, "id">>(connection, selectWipeSql, [
    serverId,
    saveId,
  ]);
  if (!wipe) {
    context.log.warn(
      { serverId, saveId },
      "the site dropped a tally of players: it does not know the world",
    );
    return;
  }
  const named = [...new Map(tallies.map((tally) => [tally.steamId, tally])).values()];
  await recordSightings(named, ground);
  const last = await room.selectFitting("tallies", named, {
    keyOf: ({ steamId }) => steamId,
    sql: selectTallyKeysSql,
    values: [wipe.id, named.map(({ steamId }) => steamId)],
  });
  await executeStatement(connection, upsertTalliesSql, [
    wipe.id,
    last.map(({ steamId }) => steamId),
    last.map(({ name }) => name),
    last.map(({ staff }) => staff === true),
  ]);
  const figures = last.flatMap(figuresOf);
  const raised = await firstRow<{ fallen: number }>(connection, raiseScoresSql, [
    wipe.id,
    wordArraySql(figures.map(({ stat }) => stat)),
    wordArraySql(figures.map(({ steamId }) => steamId)),
    wordArraySql(figures.map(({ value }) => value)),
  ]);
  if (raised && raised.fallen > 0) await warnOfLostScores(raised.fallen, wipe.id, ground);
  await updateKillLeader({ wipeId: wipe.id, saveId, at: t }, ground);
}

interface Figure {
  readonly stat: StatName;
  readonly steamId: string;
  readonly value: number;
}

function figuresOf({ steamId, stats, playtimeSec }: Tally): Figure[] {
  const counted = countedStats.flatMap((stat) => {
    const value = stats[stat];
    return value === undefined ? [] : [{ stat, steamId, value }];
  });
  return [...counted, { stat: "playtime", steamId, value: playtimeSec }];
}

/**
 * Writes the activity log, once per world and day, if mods of the game have lost statistics. Stored
 * values stay until the new ones exceed them, so no other sign of the loss exists.
 */
async function warnOfLostScores(
  players: number,
  wipeId: number,
  { serverId, connection, context }: FrameHandlerContext,
): Promise<void> {
  const warned = await executeStatement(connection, insertScoreWarningSql, [
    serverId,
    wipeId,
    players,
  ]);
  if (warned > 0) {
    context.log.warn(
      { serverId, wipeId, players },
      "the game server reported lower statistics of players than before",
    );
  }
}
