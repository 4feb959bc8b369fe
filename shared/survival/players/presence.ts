import type { SurvivalPresence } from "../../../models/survival/players/survival-presence.ts";
import type { Rung } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { type ClanRef, readClansOfPlayers } from "../clans/clan-identity.ts";
import type { FrameHandlerContext, FrameHandlers, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import type { ServerRecord } from "../servers/read-servers.ts";
import type { CallerAccess } from "../visibility/visibility.ts";
import {
  deleteOtherSessionsSql,
  deleteSessionSql,
  selectSessionKeysSql,
  upsertSessionsSql,
} from "./players.sql.ts";
import { recordSightings } from "./sightings.ts";

interface PresentPlayer extends Pick<SurvivalPresence, "steamId" | "name" | "connectedAt"> {
  /** Absent if the player has no clan or the caller may not see clan members. */
  readonly clan?: ClanRef | undefined;
}

export interface Presence {
  readonly players: readonly PresentPlayer[];
  /** True if the caller may not see the players. Everybody may see their number. */
  readonly hidden: boolean;
  readonly count: number;
  readonly audience: Rung;
}

/** Reads the players on a server; empty if the server is offline. */
export async function readPresence(
  { server, online }: ServerRecord,
  view: CallerAccess,
  { models }: Pick<Context, "models">,
): Promise<Presence> {
  const audience = view.visibility.presence;
  const hidden = !view.reaches(audience);
  if (!online) return { players: [], hidden, count: 0, audience };
  const where = { serverId: server.id };
  if (hidden) {
    return { players: [], hidden, count: await models.SurvivalPresence.count({ where }), audience };
  }
  const players = await models.SurvivalPresence.findAll({
    where,
    attributes: ["steamId", "name", "connectedAt"],
    order: ["connectedAt", "steamId"],
    raw: true,
  });
  const clans = view.reaches(view.visibility.roster)
    ? await readClansOfPlayers(
        players.map(({ steamId }) => steamId),
        server.id,
        { models },
      )
    : null;
  return {
    players: players.map(({ steamId, name, connectedAt }) => ({
      steamId,
      name,
      connectedAt,
      clan: clans?.get(steamId),
    })),
    hidden,
    count: players.length,
    audience,
  };
}

interface Session {
  readonly steamId: string;
  readonly name: string;
  readonly connectedAt: number;
}

export const presenceHandlers: FrameHandlers = {
  "player.online": (taken, ground) => replace(taken, ground),
  "player.joined": ({ payload }, ground) => add(payload, ground),
  "player.left": ({ payload }, ground) => remove(payload, ground),
};

/** Replaces the list of players, because joins and leaves may have been lost. */
async function replace(
  { payload: { players }, rowsLeftOut }: ReceivedFrame<SurvivalPayload<"player.online">>,
  ground: FrameHandlerContext,
): Promise<void> {
  const last = [...new Map(players.map((player) => [player.steamId, player])).values()];
  const values = [ground.serverId, last.map(({ steamId }) => steamId)];
  // If a row was dropped as invalid, its player must not be removed.
  if (rowsLeftOut === 0) await executeStatement(ground.connection, deleteOtherSessionsSql, values);
  await store(last, ground);
}

async function add(player: Session, ground: FrameHandlerContext): Promise<void> {
  await store([player], ground);
}

/** Deletes only this session, because the player may have joined again. */
async function remove(
  { steamId, connectedAt }: Session,
  { serverId, connection }: FrameHandlerContext,
): Promise<void> {
  await executeStatement(connection, deleteSessionSql, [serverId, steamId, connectedAt]);
}

async function store(players: readonly Session[], ground: FrameHandlerContext): Promise<void> {
  const { serverId, connection, room } = ground;
  await recordSightings(players, ground);
  const present = await room.selectFitting("presence", players, {
    keyOf: ({ steamId }) => steamId,
    sql: selectSessionKeysSql,
    values: [serverId, players.map(({ steamId }) => steamId)],
  });
  await executeStatement(connection, upsertSessionsSql, [
    serverId,
    present.map(({ steamId }) => steamId),
    present.map(({ name }) => name),
    present.map(({ connectedAt }) => connectedAt),
  ]);
}
