import type { Transaction } from "sequelize";

import type { SteamLink } from "../../../models/survival/players/steam-link.ts";
import { rows } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { ingestTimeoutSeconds } from "../../platform/ingest/link-state.ts";
import { isOwnerStuckSql } from "../../platform/ingest/owner-activity.ts";
import { ingestSourceNameSql } from "../../survival/server-locks.ts";
import { findServerIdByName } from "../../survival/servers/read-servers.ts";

interface Audience {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly owner: string;
}

const survival = (id: string, label: string, description: string) =>
  ({ id: `survival.${id}`, label, description, owner: "survival" }) as const satisfies Audience;

/** CATALOGUE of the audiences that a step can send a message to instead of everybody. */
export const audiences: readonly Audience[] = [
  survival(
    "linked",
    "Players with a linked Steam account",
    "Users who linked a Steam account. With a server, only those who played in its current world.",
  ),
  survival(
    "online",
    "Players who are online",
    "Users with a linked Steam account who are on the server now; without a server, on any server.",
  ),
  survival(
    "participants",
    "Participants of the run",
    "Users who took part in this run, if the run has collected its participants by then.",
  ),
];

export const audienceIds = audiences.map(({ id }) => id);

interface AudienceFilter {
  readonly audience: string;
  /** A slug or an id; all servers if absent. */
  readonly server?: string | undefined;
  readonly runId: number;
}

/** Returns the user ids of an audience. @throws AppError missing for an unknown server */
export async function readAudience(
  { audience, server, runId }: AudienceFilter,
  transaction: Transaction,
): Promise<number[]> {
  const statement = Object.hasOwn(memberStatements, audience)
    ? memberStatements[audience as keyof typeof memberStatements]
    : null;
  if (!statement) throw notFoundError(`There is no audience ${audience}`);
  const serverId = server === undefined ? null : await findServerId(server, transaction);
  const found = await rows<Pick<SteamLink, "userId">>(transaction, statement, [serverId, runId]);
  return found.map(({ userId }) => userId);
}

async function findServerId(server: string, transaction: Transaction): Promise<number> {
  const found = await findServerIdByName(server, { models: modelsOf(transaction) }, transaction);
  if (found === null) throw notFoundError("Unknown server");
  return found;
}

/** In each statement $1 is the id of the server or null, and $2 the id of the run. */
const memberStatements = {
  "survival.linked": `
    select distinct link.user_id as "userId" from steam_links link
    where $2::integer is not null and ($1::integer is null or exists (
      select from survival_tallies tally
      join survival_wipes wipe on wipe.id = tally.wipe_id
      where wipe.server_id = $1 and wipe.ended_at is null and tally.steam_id = link.steam_id))
    order by 1`,
  "survival.online": `
    select distinct link.user_id as "userId" from steam_links link
    join survival_presence present on present.steam_id = link.steam_id
    join survival_servers server on server.id = present.server_id and server.enabled
    join ingest_sources source on source.source = ${ingestSourceNameSql("server.id")}
      and source.state = 'connected' and source.plugin_connected
      and not ${isOwnerStuckSql(String(ingestTimeoutSeconds))}
    where $2::integer is not null and ($1::integer is null or present.server_id = $1)
    order by 1`,
  "survival.participants": `
    select distinct user_id as "userId" from event_participations
    where run_id = $2 and ($1::integer is null or true)
    order by 1`,
} as const;
