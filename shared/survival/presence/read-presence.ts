import type { SurvivalPresence } from "../../../models/survival/players/survival-presence.ts";
import type { Rung } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { type ClanName, clansOfPlayers } from "../clans/clan-identity.ts";
import type { ServerRecord } from "../servers/read-servers.ts";
import type { View } from "../visibility/read-visibility.ts";

interface Present extends Pick<SurvivalPresence, "steamId" | "name" | "connectedAt"> {
  /** Absent without one, and for a caller who may not see who is in a clan. */
  readonly clan?: ClanName | undefined;
}

export interface Presence {
  readonly players: readonly Present[];
  /** Whether the caller may not see who is there; the count is for everybody. */
  readonly hidden: boolean;
  readonly count: number;
  readonly audience: Rung;
}

/** Who is on a server; nobody is on one that is not there. */
export async function readPresence(
  { server, online }: ServerRecord,
  view: View,
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
    ? await clansOfPlayers(
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
