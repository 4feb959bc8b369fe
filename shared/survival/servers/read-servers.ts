import type { Transaction } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import type { LinkState } from "../../platform/bridge/socket/socket-options.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import { notFoundError, AppError } from "../../platform/errors/errors.ts";
import { ingestTimeoutSeconds, computeLinkState } from "../../platform/ingest/link-state.ts";
import { isOwnerStuckSql } from "../../platform/ingest/owner-activity.ts";
import { hasLiveKeySql, pluginStatusSql } from "../../platform/plugin/keys.sql.ts";
import {
  toPluginStatus,
  type PluginStatus,
  type StoredPluginStatus,
} from "../../platform/plugin/link.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { ingestSourceNameSql } from "../server-locks.ts";
import { type StorageOmission, omissionsSql } from "../storage/omissions.ts";

export type ServerHello = SurvivalPayload<"server.hello">;
export type ServerStatus = SurvivalPayload<"server.status">;
export type MapInfoPayload = SurvivalPayload<"map.info">;

type Source = Pick<
  IngestSource,
  | "state"
  | "stateSince"
  | "reason"
  | "pluginConnected"
  | "lastEventAt"
  | "epoch"
  | "seq"
  | "bootId"
  | "beatAt"
  | "rowsLeftOut"
>;
type State = Pick<
  SurvivalServerState,
  "saveId" | "onlineSince" | "lastSeenAt" | "linkMintedAt" | "linkUnhashedAt"
>;

/** The report key of a server, without the key itself. */
interface ReportKeyStatus {
  readonly createdAt: Date;
  /** When the game last sent a report with the key. */
  readonly lastUsedAt: Date | null;
}

/** A survival server with its current state. */
export interface ServerRecord {
  /** The time of the read by the database's clock, because clocks of processes differ. */
  readonly readAt: Date;
  readonly server: SurvivalServer;
  readonly link: LinkState;
  /** The time when the link entered its present state; null if unknown. */
  readonly linkSince: Date | null;
  /** True if the game process is connected and running. */
  readonly online: boolean;
  readonly source: Source;
  /** The kinds of rows that reached their storage limit. */
  readonly leftOut: readonly StorageOmission[];
  readonly state: State;
  readonly plugin: PluginStatus;
  readonly reportKey: ReportKeyStatus | null;
  readonly hello: ServerHello | null;
  readonly status: ServerStatus | null;
  readonly map: MapInfoPayload | null;
  /** The current world. */
  readonly wipe: Pick<SurvivalWipe, "id" | "startedAt" | "mapHash"> | null;
}

interface Row
  extends Source, State, Pick<SurvivalServerState, "serverId" | "hello" | "status" | "map"> {
  readonly readAt: Date;
  readonly leftOut: readonly StorageOmission[];
  readonly alive: boolean;
  /** True if the link is complete. A plugin link needs a key. */
  readonly isUsable: boolean;
  readonly plugin: StoredPluginStatus;
  readonly reportKeyCreatedAt: Date | null;
  readonly reportKeyLastUsedAt: Date | null;
  readonly hello: ServerHello | null;
  readonly status: ServerStatus | null;
  readonly map: MapInfoPayload | null;
  readonly wipeId: SurvivalWipe["id"] | null;
  readonly startedAt: Date | null;
  readonly mapHash: SurvivalWipe["mapHash"];
}

type Parts = Pick<Context, "models" | "sequelize">;

/** Reads all servers in list order. */
export async function readServers(
  { models, sequelize }: Parts,
  where: { readonly listed?: true } = {},
): Promise<ServerRecord[]> {
  const [servers, standings] = await Promise.all([
    models.SurvivalServer.findAll({ where, order: ["sort", "name", "id"] }),
    rows<Row>(sequelize, select, [ingestTimeoutSeconds]),
  ]);
  const byServer = new Map(standings.map((row) => [row.serverId, row]));
  return servers.flatMap((server) => {
    const row = byServer.get(server.id);
    return row ? [recordOf(server, row)] : [];
  });
}

/** @throws AppError missing if no server has the id and meets `where` */
export async function findServer(
  id: number,
  context: Parts,
  where: { readonly listed?: true } = {},
): Promise<ServerRecord> {
  const record = await readServer(id, context, where);
  if (!record) throw notFoundError("Unknown server");
  return record;
}

/** Returns null if no listed server has the id. */
export const findListedServer = (id: number, context: Parts): Promise<ServerRecord | null> =>
  readServer(id, context, { listed: true });

async function readServer(
  id: number,
  { models, sequelize }: Parts,
  where: { readonly listed?: true },
): Promise<ServerRecord | null> {
  const server = await models.SurvivalServer.findOne({
    where: { ...where, id: matchClientId(id) },
  });
  const row = server && (await firstRow<Row>(sequelize, selectOne, [ingestTimeoutSeconds, id]));
  return server && row ? recordOf(server, row) : null;
}

const select = `
  select server.id as "serverId", clock_timestamp() as "readAt", source.state, source.reason,
    source.state_since as "stateSince", source.epoch, source.seq,
    source.plugin_connected as "pluginConnected", source.last_event_at as "lastEventAt",
    source.boot_id as "bootId", source.beat_at as "beatAt",
    server.kind <> 'plugin' or ${hasLiveKeySql("source.source")} as "isUsable",
    ${pluginStatusSql("source.source")} as plugin,
    report_key.created_at as "reportKeyCreatedAt", report_key.last_used_at as "reportKeyLastUsedAt",
    source.rows_left_out as "rowsLeftOut", ${omissionsSql("server.id")} as "leftOut", not ${isOwnerStuckSql("$1")} as alive,
    state.hello, state.status, state.map, state.save_id as "saveId",
    state.online_since as "onlineSince", state.last_seen_at as "lastSeenAt",
    state.link_minted_at as "linkMintedAt", state.link_unhashed_at as "linkUnhashedAt",
    wipe.id as "wipeId", wipe.started_at as "startedAt", wipe.map_hash as "mapHash"
  from survival_servers server
  join ingest_sources source on source.source = ${ingestSourceNameSql("server.id")}
  left join survival_report_keys report_key on report_key.server_id = server.id
  left join survival_server_states state on state.server_id = server.id
  left join survival_wipes wipe on wipe.server_id = server.id and wipe.save_id = state.save_id`;

const selectOne = `${select} where server.id = $2`;

function recordOf(server: SurvivalServer, row: Row): ServerRecord {
  const { readAt, wipeId, startedAt, mapHash, hello, status, map, saveId } = row;
  const { onlineSince, lastSeenAt, linkMintedAt, linkUnhashedAt } = row;
  const enabled = server.enabled && row.isUsable;
  const link = computeLinkState({ enabled, state: row.state, alive: row.alive });
  const isThere = link === "connected" && row.pluginConnected;
  const online = isThere && status !== null && status.state !== "offline";
  return {
    readAt,
    server,
    link,
    linkSince: findLinkSince(row),
    online,
    source: row,
    leftOut: row.leftOut,
    plugin: toPluginStatus(row.plugin),
    reportKey: toReportKeyStatus(row),
    state: {
      saveId,
      onlineSince: online ? onlineSince : null,
      lastSeenAt,
      linkMintedAt,
      linkUnhashedAt,
    },
    hello,
    status: online ? status : null,
    map,
    wipe: wipeId === null || !startedAt ? null : { id: wipeId, startedAt, mapHash },
  };
}

const toReportKeyStatus = ({
  reportKeyCreatedAt: createdAt,
  reportKeyLastUsedAt: lastUsedAt,
}: Row): ReportKeyStatus | null => createdAt && { createdAt, lastUsedAt };

/** Returns when the link entered its present state. If no ingest process runs, returns the last heartbeat. */
const findLinkSince = ({ alive, beatAt, stateSince }: Row): Date | null =>
  alive ? stateSince : (beatAt ?? stateSince);

/** Returns a listed server, enabled or not. @throws AppError missing if there is none */
export async function findPublicServer(
  id: number,
  { models }: Pick<Context, "models">,
): Promise<SurvivalServer> {
  const where = { id: matchClientId(id), listed: true };
  const server = await models.SurvivalServer.findOne({ where });
  if (!server) throw notFoundError("Unknown server");
  return server;
}

/** Finds a server by id or slug: digits are an id, any other text is a slug. @returns null if there is none */
export async function findServerIdByName(
  name: string,
  { models }: Pick<Context, "models">,
  transaction: Transaction | null = null,
): Promise<number | null> {
  const where = /^[1-9]\d{0,8}$/.test(name) ? { id: Number(name) } : { slug: name };
  const options = { where, attributes: ["id"], raw: true, transaction };
  const found = await models.SurvivalServer.findOne(options);
  return found?.id ?? null;
}

/** Returns the server that an event step names. @throws {AppError} invalid_request if there is none */
export async function requireServerId(
  name: string,
  context: Pick<Context, "models">,
): Promise<number> {
  const id = await findServerIdByName(name, context);
  if (id === null) throw new AppError("invalid_request", `there is no survival server ${name}`);
  return id;
}

/** Returns the mod loader of a server; `vanilla` if it has none or an unknown one. */
export function frameworkOf({ framework }: ServerHello): "oxide" | "carbon" | "vanilla" {
  const name = framework?.name.toLowerCase();
  if (name === "oxide" || name === "umod") return "oxide";
  return name === "carbon" ? "carbon" : "vanilla";
}

/** Mods that change the gameplay; mods for chat, clans and maps do not. */
const gameplayMods = new Set(["zones", "pve", "kits", "npcs", "quests"]);

export const isModded = ({ helpers }: ServerHello): boolean =>
  (helpers ?? []).some(({ id, loaded }) => loaded && gameplayMods.has(id));
