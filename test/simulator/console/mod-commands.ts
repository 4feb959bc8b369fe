import type { CommandResult } from "./commands.ts";
import type { ParsedCommand } from "./splitter.ts";
import type { ConsoleWorld } from "./world.ts";

const prefixes = { oxide: "oxide.", carbon: "c.", none: "" } as const;
const versions = { oxide: "Oxide.Rust Version: 2.0.6511", carbon: "Carbon v2.0.141", none: "" };

const listed = (names: Iterable<string>, none: string): string => {
  const all = [...names];
  return all.length > 0 ? all.join(", ") : none;
};

/** Runs a command of the mod loader. @returns undefined if the loader does not have the command */
export function runModCommand(
  { name, args }: ParsedCommand,
  world: ConsoleWorld,
): CommandResult | undefined {
  const prefix = prefixes[world.loader];
  if (prefix === "" || !name.startsWith(prefix) || world.isGenerating) return undefined;
  const verb = name.slice(prefix.length);
  const text = runVerb(verb, args, world);
  return text === undefined ? undefined : { text };
}

function runVerb(verb: string, args: readonly string[], world: ConsoleWorld): string | undefined {
  if (verb === "version") return versions[world.loader];
  if (verb === "grant" || verb === "revoke") return change(verb, args, world);
  if (verb === "usergroup") return changeMembership(args, world);
  if (verb === "group") return changeGroup(args, world);
  return verb === "show" ? show(args, world) : undefined;
}

function change(
  verb: "grant" | "revoke",
  [kind, subject = "", node = ""]: readonly string[],
  world: ConsoleWorld,
): string {
  if (!world.registered.has(node)) return `Permission '${node}' doesn't exist`;
  const isGroup = kind === "group";
  const holder = isGroup ? world.groups.get(subject.toLowerCase()) : world.userOf(subject);
  if (!holder) return `Group '${subject}' doesn't exist`;
  if (verb === "grant") holder.permissions.add(node);
  else holder.permissions.delete(node);
  const shown = isGroup ? `Group '${subject}'` : `User 'Player (${subject})'`;
  return `${shown} ${verb === "grant" ? "granted" : "revoked"} permission '${node}'`;
}

function changeMembership(
  [verb, steamId = "", name = ""]: readonly string[],
  world: ConsoleWorld,
): string {
  if (!world.groups.has(name.toLowerCase())) return `Group '${name}' doesn't exist`;
  const { groups } = world.userOf(steamId);
  if (verb === "add") groups.add(name.toLowerCase());
  else groups.delete(name.toLowerCase());
  return verb === "add"
    ? `User '${steamId}' added to group: ${name}`
    : `User '${steamId}' removed from group '${name}'`;
}

function changeGroup(
  [verb, name = "", title = "", rank = "0"]: readonly string[],
  world: ConsoleWorld,
): string {
  const key = name.toLowerCase();
  const group = world.groups.get(key);
  if (verb === "add") {
    if (group) return `Group '${name}' already exists`;
    world.groups.set(key, { title, rank: Number(rank), parent: null, permissions: new Set() });
    return `Group '${name}' created`;
  }
  if (!group) return `Group '${name}' doesn't exist`;
  if (verb === "set") {
    group.title = title;
    group.rank = Number(rank);
    return `Group '${name}' changed`;
  }
  if (verb === "parent") {
    if (!world.groups.has(title.toLowerCase())) return `Group parent '${title}' doesn't exist`;
    group.parent = title.toLowerCase();
    return `Group '${name}' parent changed to '${title}'`;
  }
  world.groups.delete(key);
  for (const user of world.users.values()) user.groups.delete(key);
  return `Group '${name}' deleted`;
}

function show([what, name = ""]: readonly string[], world: ConsoleWorld): string {
  if (what === "groups") return `Groups:\n${listed(world.groups.keys(), "No groups")}`;
  if (what === "perms") return `Permissions:\n${listed(world.registered, "No permissions")}`;
  if (what === "perm") return showPermission(name, world);
  return what === "user" ? showUser(name, world) : showGroup(name, world);
}

const nameOf = (steamId: string, world: ConsoleWorld): string =>
  world.players.get(steamId)?.name ?? "Unnamed";

function showPermission(node: string, world: ConsoleWorld): string {
  const users = [...world.users].filter(([, { permissions }]) => permissions.has(node));
  const groups = [...world.groups].filter(([, { permissions }]) => permissions.has(node));
  const shownUsers = users.map(([steamId]) => `${steamId}(${nameOf(steamId, world)})`);
  const shownGroups = groups.map(([name]) => name);
  return (
    `Permission '${node}' Users:\n${listed(shownUsers, "No users with this permission")}\n\n` +
    `Permission '${node}' Groups:\n${listed(shownGroups, "No groups with this permission")}`
  );
}

/** The list of a player's permissions includes those of the player's groups. */
function showUser(steamId: string, world: ConsoleWorld): string {
  const { groups, permissions } = world.userOf(steamId);
  const inherited = [...groups].flatMap((name) => [...(world.groups.get(name)?.permissions ?? [])]);
  const shown = `User '${nameOf(steamId, world)} (${steamId})'`;
  const all = new Set([...permissions, ...inherited]);
  return (
    `${shown} permissions:\n${listed(all, "No permissions currently granted")}\n\n` +
    `${shown} groups:\n${listed(groups, "User is not assigned to any groups")}`
  );
}

function showGroup(name: string, world: ConsoleWorld): string {
  const group = world.groups.get(name.toLowerCase());
  if (!group) return `Group '${name}' doesn't exist`;
  const members = [...world.users].filter(([, { groups }]) => groups.has(name.toLowerCase()));
  const users = members.map(([steamId]) => `${steamId}(${nameOf(steamId, world)})`);
  const parent = group.parent && world.groups.get(group.parent);
  return (
    `Group '${name}' users:\n${listed(users, "No users currently in group")}\n\n` +
    `Group '${name}' permissions:\n${listed(group.permissions, "No permissions currently granted")}` +
    (parent
      ? `\nParent group '${String(group.parent)}' permissions:\n${[...parent.permissions].join(", ")}`
      : "")
  );
}
