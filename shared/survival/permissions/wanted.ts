import { type GroupNode, sortParentsFirst } from "./group-tree.ts";
import { expandNodes, normalizeName } from "./nodes.ts";

/** The servers that a grant or group applies to. */
export interface ServerScope {
  readonly all: boolean;
  readonly serverIds: readonly number[];
}

export interface PermissionGroup extends GroupNode {
  readonly title: string;
  readonly rank: number;
  readonly permissions: readonly string[];
  readonly scope: ServerScope;
  /** False for groups of the game, which the site neither creates nor removes. */
  readonly managed: boolean;
}

export interface PermissionGrant {
  readonly kind: "permission" | "membership";
  readonly steamId: string;
  /** A permission or the name of a group. */
  readonly value: string;
  readonly scope: ServerScope;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export const isServerInScope = ({ all, serverIds }: ServerScope, serverId: number): boolean =>
  all || serverIds.includes(serverId);

export const isGrantInForce = ({ expiresAt, revokedAt }: PermissionGrant, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** The data from which one server's permissions are computed. */
export interface WantedPermissionsInput {
  readonly serverId: number;
  readonly groups: readonly PermissionGroup[];
  readonly grants: readonly PermissionGrant[];
  /** Permissions that the server's plugins registered; null if unknown. */
  readonly registered: ReadonlySet<string> | null;
  readonly deny: readonly string[];
  readonly now: Date;
}

export interface WantedGroup extends GroupNode {
  readonly title: string;
  readonly rank: number;
  readonly managed: boolean;
  readonly nodes: readonly string[];
  /** The granted permissions before expansion, with wildcards. */
  readonly written: readonly string[];
}

export interface WantedUser {
  readonly nodes: readonly string[];
  readonly written: readonly string[];
  readonly groups: readonly string[];
}

/** The permissions that a server should have. */
export interface WantedPermissions {
  /** Sorted so that parents come before their children. */
  readonly groups: readonly WantedGroup[];
  readonly users: ReadonlyMap<string, WantedUser>;
  /** Permissions and groups that the server does not know yet. */
  readonly unknown: readonly string[];
  readonly deny: readonly string[];
}

export function computeWantedPermissions(ground: WantedPermissionsInput): WantedPermissions {
  const unknown = new Set<string>();
  const expand = (patterns: readonly string[]): readonly string[] => {
    const expanded = expandNodes(patterns, ground.registered, ground.deny);
    for (const node of expanded.unknown) unknown.add(node);
    return expanded.nodes;
  };
  const groups = wantedGroups(ground, expand);
  const names = new Set(groups.map(({ name }) => name));
  const users = new Map<string, WantedUser>();
  for (const [steamId, grants] of Map.groupBy(grantsInForce(ground), ({ steamId: id }) => id)) {
    const values = (kind: PermissionGrant["kind"]): string[] => [
      ...new Set(
        grants.filter((grant) => grant.kind === kind).map(({ value }) => normalizeName(value)),
      ),
    ];
    const memberships = values("membership");
    for (const name of memberships) if (!names.has(name)) unknown.add(name);
    const patterns = values("permission");
    users.set(steamId, {
      nodes: expand(patterns),
      written: patterns,
      groups: memberships.filter((name) => names.has(name)).toSorted(),
    });
  }
  return { groups, users, unknown: [...unknown].toSorted(), deny: ground.deny };
}

const grantsInForce = ({ grants, serverId, now }: WantedPermissionsInput): PermissionGrant[] =>
  grants.filter((grant) => isServerInScope(grant.scope, serverId) && isGrantInForce(grant, now));

/** Omits a parent that does not apply to this server, because the child would create the parent there. */
const wantedGroups = (
  { groups, serverId }: WantedPermissionsInput,
  expand: (patterns: readonly string[]) => readonly string[],
): WantedGroup[] =>
  sortParentsFirst(groups.filter(({ scope }) => isServerInScope(scope, serverId))).map(
    ({ name, title, rank, parent, managed, permissions }) => ({
      name: normalizeName(name),
      title,
      rank,
      parent: parent === null ? null : normalizeName(parent),
      managed,
      nodes: expand(permissions),
      written: permissions,
    }),
  );
