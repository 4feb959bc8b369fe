import { type GroupNode, parentsFirst } from "./group-tree.ts";
import { expandNodes, lowered } from "./nodes.ts";

/** The servers that something is for. */
export interface Scope {
  readonly all: boolean;
  readonly serverIds: readonly number[];
}

export interface PermissionGroup extends GroupNode {
  readonly title: string;
  readonly rank: number;
  readonly permissions: readonly string[];
  readonly scope: Scope;
  /** Whether it is ours; the game's own groups are there without us, and are never removed. */
  readonly managed: boolean;
}

export interface PermissionGrant {
  readonly kind: "permission" | "membership";
  readonly steamId: string;
  /** A permission or the name of a group. */
  readonly value: string;
  readonly scope: Scope;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export const isInScope = ({ all, serverIds }: Scope, serverId: number): boolean =>
  all || serverIds.includes(serverId);

export const isInForce = ({ expiresAt, revokedAt }: PermissionGrant, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** What is decided here, and what is known of the server that it is for. */
export interface PermissionGround {
  readonly serverId: number;
  readonly groups: readonly PermissionGroup[];
  readonly grants: readonly PermissionGrant[];
  /** The permissions that its plugins have registered; null while it has not said. */
  readonly registered: ReadonlySet<string> | null;
  readonly deny: readonly string[];
  readonly now: Date;
}

export interface WantedGroup extends GroupNode {
  readonly title: string;
  readonly rank: number;
  readonly managed: boolean;
  readonly nodes: readonly string[];
  /** What the nodes are made of, wildcards among it. */
  readonly written: readonly string[];
}

export interface WantedUser {
  readonly nodes: readonly string[];
  readonly written: readonly string[];
  readonly groups: readonly string[];
}

/** What should be on a server. */
export interface WantedPermissions {
  /** Each after its parent. */
  readonly groups: readonly WantedGroup[];
  readonly users: ReadonlyMap<string, WantedUser>;
  /** Permissions and groups that the server does not know; what needs them waits. */
  readonly unknown: readonly string[];
  readonly deny: readonly string[];
}

export function wantedPermissions(ground: PermissionGround): WantedPermissions {
  const unknown = new Set<string>();
  const expand = (written: readonly string[]): readonly string[] => {
    const expanded = expandNodes(written, ground.registered, ground.deny);
    for (const node of expanded.unknown) unknown.add(node);
    return expanded.nodes;
  };
  const groups = wantedGroups(ground, expand);
  const names = new Set(groups.map(({ name }) => name));
  const users = new Map<string, WantedUser>();
  for (const [steamId, grants] of Map.groupBy(grantsInForce(ground), ({ steamId: id }) => id)) {
    const values = (kind: PermissionGrant["kind"]): string[] => [
      ...new Set(grants.filter((grant) => grant.kind === kind).map(({ value }) => lowered(value))),
    ];
    const memberships = values("membership");
    for (const name of memberships) if (!names.has(name)) unknown.add(name);
    const written = values("permission");
    users.set(steamId, {
      nodes: expand(written),
      written,
      groups: memberships.filter((name) => names.has(name)).toSorted(),
    });
  }
  return { groups, users, unknown: [...unknown].toSorted(), deny: ground.deny };
}

const grantsInForce = ({ grants, serverId, now }: PermissionGround): PermissionGrant[] =>
  grants.filter((grant) => isInScope(grant.scope, serverId) && isInForce(grant, now));

/** A parent that is not for this server is left out: it must not come there by its child. */
const wantedGroups = (
  { groups, serverId }: PermissionGround,
  expand: (written: readonly string[]) => readonly string[],
): WantedGroup[] =>
  parentsFirst(groups.filter(({ scope }) => isInScope(scope, serverId))).map(
    ({ name, title, rank, parent, managed, permissions }) => ({
      name: lowered(name),
      title,
      rank,
      parent: parent === null ? null : lowered(parent),
      managed,
      nodes: expand(permissions),
      written: permissions,
    }),
  );
