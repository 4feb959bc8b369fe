import type { SurvivalServer } from "../../../../models/survival/survival-server.ts";
import type { SurvivalContext } from "../../context.ts";
import { readOwnSteamIds } from "../../steam-links.ts";
import { type EffectivePermission, computeEffectivePermissions } from "../effective.ts";
import { type GrantRecord, readUnfinishedGrants } from "../grants/read-grants.ts";
import { isGrantedByPatterns, normalizeName } from "../nodes.ts";
import { entryKey, isEntryOnServer, type PermissionEntry } from "../permission-ops.ts";
import {
  readPermissions,
  toServerScope,
  type ServerPermissionState,
} from "../sync/read-permissions.ts";
import { isServerInScope, type WantedUser } from "../wanted.ts";

export interface OwnPermissionEntry {
  readonly grant: GrantRecord;
  /** Title of the group if the grant is a group membership; otherwise null. */
  readonly title: string | null;
  readonly servers: readonly {
    readonly id: number;
    readonly name: string;
    readonly live: boolean;
  }[];
}

export interface OwnPermissions {
  readonly steamIds: readonly string[];
  readonly entries: readonly OwnPermissionEntry[];
}

type ListedServer = Pick<SurvivalServer, "id" | "name">;

/** Reads a user's grants and the servers that have them, according to the site's records. */
export async function readOwnPermissions(
  userId: number,
  context: SurvivalContext,
): Promise<OwnPermissions> {
  const { models, config } = context;
  const steamIds = await readOwnSteamIds(userId, { models });
  const servers: ListedServer[] = await models.SurvivalServer.findAll({
    where: { listed: true, permissionSync: true },
    attributes: ["id", "name"],
    order: ["sort", "name", "id"],
    raw: true,
  });
  const parts = { models, deny: config.SURVIVAL_PERMISSION_DENY };
  const ids = servers.map(({ id }) => id);
  const entries: OwnPermissionEntry[] = [];
  for (const steamId of steamIds) {
    const grants = await readUnfinishedGrants([steamId], context);
    const states = grants.length > 0 ? await readPermissions(ids, parts, steamId) : [];
    entries.push(...grants.map((grant) => entryOf(grant, servers, states)));
  }
  return { steamIds, entries };
}

function entryOf(
  grant: GrantRecord,
  servers: readonly ListedServer[],
  states: readonly ServerPermissionState[],
): OwnPermissionEntry {
  const stateOf = new Map(states.map((state) => [state.serverId, state]));
  const group = states[0]?.groups.find(({ name }) => name === grant.value);
  return {
    grant,
    title: grant.kind === "membership" ? (group?.title ?? null) : null,
    servers: servers
      .filter(({ id }) => isServerInScope(toServerScope(grant), id))
      .map(({ id, name }) => ({ id, name, live: isLiveOnServer(grant, stateOf.get(id)) })),
  };
}

/** True if the server has the grant, according to the server's reports. */
function isLiveOnServer(grant: GrantRecord, state: ServerPermissionState | undefined): boolean {
  if (!state) return false;
  const live = new Set(state.rows.filter(isEntryOnServer).map(entryKey));
  const stands = (entry: PermissionEntry): boolean => live.has(entryKey(entry));
  const user = { subjectKind: "user", subject: grant.steamId } as const;
  if (grant.kind === "membership") {
    const group = state.groups.find(({ name }) => name === grant.value);
    const own = { subjectKind: "group", subject: grant.value, kind: "group", value: "" } as const;
    const isMade = group?.managed === false || stands(own);
    return isMade && stands({ ...user, kind: "membership", value: grant.value });
  }
  const nodes = nodesOf(grant, state);
  return nodes.length > 0 && nodes.every((value) => stands({ ...user, kind: "permission", value }));
}

/** Returns the nodes of a permission grant; if it has ended, the nodes that are still on the server. */
function nodesOf(
  { steamId, value, state: stands }: GrantRecord,
  state: ServerPermissionState,
): string[] {
  const deny = state.wanted.deny;
  const user: WantedUser | undefined = state.wanted.users.get(steamId);
  const wanted = stands === "active" ? (user?.nodes ?? []) : [];
  const pushed = state.rows
    .filter((row) => isEntryOnServer(row) && row.subject === steamId && row.kind === "permission")
    .map((row) => row.value);
  const found = [...wanted, ...pushed].filter((node) => isGrantedByPatterns(node, [value], deny));
  return [...new Set(found.map(normalizeName))];
}

export interface PlayerPermissionsExplanation {
  readonly direct: readonly GrantRecord[];
  readonly groups: readonly GrantRecord[];
  readonly effective: readonly EffectivePermission[];
}

/** Reads a player's permissions on all servers, with the source of each. */
export async function explainPlayerPermissions(
  steamId: string,
  context: SurvivalContext,
): Promise<PlayerPermissionsExplanation> {
  const { models, config } = context;
  const servers = await models.SurvivalServer.findAll({
    where: { permissionSync: true },
    attributes: ["id"],
    order: ["sort", "name", "id"],
    raw: true,
  });
  const parts = { models, deny: config.SURVIVAL_PERMISSION_DENY };
  const [grants, states] = await Promise.all([
    readUnfinishedGrants([steamId], context),
    readPermissions(
      servers.map(({ id }) => id),
      parts,
      steamId,
    ),
  ]);
  return {
    direct: grants.filter(({ kind }) => kind === "permission"),
    groups: grants.filter(({ kind }) => kind === "membership"),
    effective: computeEffectivePermissions(
      steamId,
      states.map(({ serverId, wanted, rows }) => ({ id: serverId, wanted, rows })),
    ),
  };
}
