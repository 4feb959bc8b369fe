import { listAncestors } from "./group-tree.ts";
import { normalizeName } from "./nodes.ts";
import {
  entryKey,
  isEntryOnServer,
  type PermissionEntry,
  type PermissionRow,
} from "./permission-ops.ts";
import type { WantedGroup, WantedPermissions } from "./wanted.ts";

/** The group to which the game adds each player on connection. */
export const defaultGroup = "default";

export interface ServerPermissions {
  readonly id: number;
  readonly wanted: WantedPermissions;
  readonly rows: readonly PermissionRow[];
}

export interface EffectivePermission {
  readonly node: string;
  /** `direct`, or the groups that give the permission, such as `group:vip>member`. */
  readonly via: readonly string[];
  /** `live` is true if the site's records say that the server has the permission. */
  readonly servers: readonly { readonly id: number; readonly live: boolean }[];
}

/** Returns a player's permissions on the given servers, with the source of each. */
export function computeEffectivePermissions(
  steamId: string,
  servers: readonly ServerPermissions[],
): EffectivePermission[] {
  const found = new Map<string, { via: Set<string>; servers: Map<number, boolean> }>();
  for (const server of servers) {
    for (const { node, via, live } of listSources(server, steamId)) {
      const effective = found.get(node) ?? { via: new Set(), servers: new Map() };
      found.set(node, effective);
      effective.via.add(via);
      effective.servers.set(server.id, live || effective.servers.get(server.id) === true);
    }
  }
  return [...found]
    .map(([node, { via, servers: on }]) => ({
      node,
      via: [...via].toSorted(),
      servers: [...on].map(([id, live]) => ({ id, live })),
    }))
    .toSorted((one, other) => (one.node < other.node ? -1 : 1));
}

interface PermissionSource {
  readonly node: string;
  readonly via: string;
  readonly live: boolean;
}

function listSources({ wanted, rows }: ServerPermissions, steamId: string): PermissionSource[] {
  const user = wanted.users.get(steamId);
  const live = new Set(rows.filter(isEntryOnServer).map(entryKey));
  const isEntryLive = (entry: PermissionEntry): boolean => live.has(entryKey(entry));
  const subject = { subjectKind: "user", subject: steamId } as const;
  const direct = (user?.nodes ?? []).map((node) => ({
    node,
    via: "direct",
    live: isEntryLive({ ...subject, kind: "permission", value: node }),
  }));
  const byName = new Map(wanted.groups.map((group) => [normalizeName(group.name), group]));
  const joined = new Set([...(user?.groups ?? []), defaultGroup]);
  const byGroups = [...joined].flatMap((name) => {
    const isMember =
      name === defaultGroup || isEntryLive({ ...subject, kind: "membership", value: name });
    return listGroupSources(listAncestors(name, byName), isMember, isEntryLive);
  });
  return [...direct, ...byGroups];
}

/** Permissions of a group and its ancestors. They are live if all groups on the path are live. */
function listGroupSources(
  lineage: readonly WantedGroup[],
  isMember: boolean,
  isEntryLive: (entry: PermissionEntry) => boolean,
): PermissionSource[] {
  const ways: PermissionSource[] = [];
  let isReached = isMember;
  for (const [at, { name, managed, nodes }] of lineage.entries()) {
    const subject = { subjectKind: "group", subject: name } as const;
    isReached &&= !managed || isEntryLive({ ...subject, kind: "group", value: "" });
    const path = lineage.slice(0, at + 1).map((group) => group.name);
    for (const node of nodes) {
      const live = isReached && isEntryLive({ ...subject, kind: "permission", value: node });
      ways.push({ node, via: `group:${path.join(">")}`, live });
    }
  }
  return ways;
}
