import type { RandomSource } from "../../random.ts";
import type { Player } from "./players.ts";

export interface Group {
  readonly name: string;
  title: string;
  rank: number;
  parent: string | null;
  readonly permissions: Set<string>;
}

export interface Holder {
  readonly steamId: string;
  readonly permissions: Set<string>;
  readonly groups: Set<string>;
}

/** The permissions that the plugin loader stores. A wipe does not change them. */
export interface Permissions {
  readonly groups: Map<string, Group>;
  readonly users: Map<string, Holder>;
}

export function makePermissions(
  builtIn: readonly string[],
  players: readonly Player[],
  { holders, nodes, random }: { holders: number; nodes: readonly string[]; random: RandomSource },
): Permissions {
  const permissions: Permissions = { groups: new Map(), users: new Map() };
  for (const name of builtIn) groupOf(permissions, name).title = name;
  const vip = groupOf(permissions, "oldvip");
  Object.assign(vip, { title: "<b>Old VIP</b>", rank: 3, parent: "default" });
  vip.permissions.add("kits.vip");
  // The loader stores the console of the server as a user with all permissions.
  holderOf(permissions, "server_console").permissions.add("*");
  for (const player of players) {
    const holder = holderOf(permissions, player.steamId);
    holder.groups.add(player.isStaff ? "admin" : "default");
  }
  for (const player of players.slice(0, holders)) {
    const holder = holderOf(permissions, player.steamId);
    holder.permissions.add(random.pick(nodes));
    if (random.chance(0.2)) holder.groups.add("oldvip");
  }
  return permissions;
}

export function groupOf({ groups }: Permissions, name: string): Group {
  const found = groups.get(name);
  if (found !== undefined) return found;
  const made: Group = { name, title: "", rank: 0, parent: null, permissions: new Set() };
  groups.set(name, made);
  return made;
}

export function holderOf({ users }: Permissions, steamId: string): Holder {
  const found = users.get(steamId);
  if (found !== undefined) return found;
  const made: Holder = { steamId, permissions: new Set(), groups: new Set() };
  users.set(steamId, made);
  return made;
}
