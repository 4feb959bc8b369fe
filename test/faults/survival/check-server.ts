import type { QueryResultRow } from "pg";

import { findSurvivalKind } from "../../../shared/survival/kinds/kinds.ts";
import type { DatabaseReader } from "../check-states.ts";
import { checkStore, type StoredEventPosition } from "../check-store.ts";
import type { LoggedEvent } from "../shard.ts";
import { findBoundsOfScores, findOutOfBounds } from "./scores.ts";
import type { LinkedServer, SurvivalFaultContext } from "./strikes.ts";

/** Compares the service's tables with the game server. @returns the differences as short texts */
export async function findDifferences(
  server: LinkedServer,
  read: DatabaseReader,
): Promise<string[]> {
  const [here, there] = [await isCaughtUp(server, read), await server.simulator.survivalWorld()];
  if (!here) return [`${server.name} is not at its head`];
  const [presence, clans, worlds] = await Promise.all([
    read<{ key: string }>("select steam_id as key from survival_presence where server_id = $1", [
      server.id,
    ]),
    readMembers(server.id, read),
    read<{ key: string }>(
      `select save_id::text as key from survival_wipes where server_id = $1 and ended_at is null`,
      [server.id],
    ),
  ]);
  return [
    ...compare(`${server.name} online`, there.online, keysOf(presence)),
    ...compare(`${server.name} clans`, await membersThere(server), keysOf(clans)),
    ...compare(`${server.name} world`, [String(there.saveId)], keysOf(worlds)),
  ];
}

const keysOf = (rows: readonly { readonly key: string }[]): string[] => rows.map(({ key }) => key);

async function isCaughtUp({ id, simulator }: LinkedServer, read: DatabaseReader): Promise<boolean> {
  const { epoch, head } = await simulator.status();
  const [source] = await read<{ epoch: string; seq: number; state: string; stale: string[] }>(
    "select epoch, seq, state, stale from ingest_sources where source = $1",
    [`survival:${id}`],
  );
  const isAtHead = source?.epoch === epoch && source.seq === head;
  return isAtHead && source.state === "connected" && source.stale.length === 0;
}

const readMembers = (serverId: number, read: DatabaseReader) =>
  read<{ key: string }>(
    `select clan_id || '-' || created || ' ' || steam_id as key
     from survival_clans join survival_clan_members on clan_row_id = survival_clans.id
     where server_id = $1 and disbanded_at is null`,
    [serverId],
  );

interface Roster {
  readonly clanId: string;
  readonly created: string;
  readonly members: readonly { readonly steamId: string }[];
}

async function membersThere({ simulator }: LinkedServer): Promise<string[]> {
  const frames = await simulator.family("clans");
  const rosters = frames.filter(({ kind }) => kind === "clan.roster");
  return rosters.flatMap(({ payload }) => {
    const { clanId, created, members } = payload as unknown as Roster;
    return members.map(({ steamId }) => `${clanId}-${created} ${steamId}`);
  });
}

function compare(what: string, there: readonly string[], ours: readonly string[]): string[] {
  const [said, held] = [new Set(there), new Set(ours)];
  return [
    ...[...said].filter((key) => !held.has(key)).map((key) => `${what}: ${key} is lacking`),
    ...[...held].filter((key) => !said.has(key)).map((key) => `${what}: ${key} is too many`),
  ];
}

/** Requires the stored data of a game server to agree with all the events it has sent. */
export async function checkServer(
  server: LinkedServer,
  scene: SurvivalFaultContext,
): Promise<void> {
  const { read, history } = scene;
  const log = await server.simulator.log();
  const stored = await read<StoredEventPosition & QueryResultRow>(storedSql, [server.id]);
  history.find(
    `store of ${server.name}`,
    checkStore(log.filter(isEvent), stored, server.journal, history),
  );
  const [kills] = await read<{ stored: number; counted: number }>(killsSql, [server.id]);
  history.claim("a kill counts once", kills?.stored === kills?.counted, kills);
  const { saveId } = await server.simulator.survivalWorld();
  const scores = await read<{ key: string; value: number }>(scoresSql, [server.id, saveId]);
  const { epoch } = await server.simulator.status();
  const bounds = findBoundsOfScores(log, { saveId, epoch });
  const wrong = findOutOfBounds(new Map(scores.map(({ key, value }) => [key, value])), bounds);
  history.claim("figures are the highest that were told", wrong.length === 0, {
    server: server.name,
    wrong: wrong.slice(0, 10),
  });
}

/** Returns true for an event. States are stored in tables of their own. */
const isEvent = ({ kind }: LoggedEvent): boolean => findSurvivalKind(kind)?.isEvent ?? true;

const storedSql = `
  select id, epoch, seq, event_key as "eventKey", boot_id as "bootId", kind, t
  from survival_events where server_id = $1 order by id`;

const killsSql = `
  select (select count(*)::integer from survival_events
    where server_id = $1 and kind = 'survival.npc.died' and payload -> 'killer' ->> 'steamId' is not null
  ) as stored,
  (select coalesce(sum(kills), 0)::integer from survival_npc_kills kill
    join survival_wipes wipe on wipe.id = kill.wipe_id where wipe.server_id = $1) as counted`;

const scoresSql = `
  select steam_id || ' ' || stat as key, value::float8 as value
  from survival_scores score join survival_wipes wipe on wipe.id = score.wipe_id
  where wipe.server_id = $1 and wipe.save_id = $2`;
