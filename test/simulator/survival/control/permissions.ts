import {
  readRequiredInteger,
  objectBody,
  optionalText,
  readRequiredText,
} from "../../control/input.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import type { Payload } from "../../stream/event.ts";
import { groupOf, holderOf } from "../world/permissions.ts";
import type { Permissions } from "../world/permissions.ts";
import { isSteamId, readObjectList, optionalTexts } from "./fields.ts";
import { command, defineReadRoute } from "./route.ts";
import type { SurvivalControlCall, SurvivalHost, SurvivalRoute } from "./route.ts";

export const permissionRoutes: readonly SurvivalRoute[] = [
  command("POST", "/v1/perm/push", push),
  defineReadRoute("/v1/perm/inventory", (_, { game }) => {
    const inventoryId = game.nextInventoryId();
    game.afterwards(0, () => {
      for (const page of game.inventory(inventoryId)) game.emit("perm.inventory", page);
    });
    return { status: 202, body: { inventoryId } };
  }),
];

type Op = "grant" | "revoke" | "join" | "leave" | "group";

interface PermissionOp {
  readonly op: Op;
  readonly subjectKind: "user" | "group";
  readonly subject: string;
  readonly kind: "permission" | "membership" | "group";
  readonly value: string;
}

interface GroupHead {
  readonly name: string;
  readonly title: string;
  readonly rank: number;
  readonly parent: string | null;
}

interface Push {
  readonly pushId: string;
  readonly heads: readonly GroupHead[];
  readonly removed: readonly string[];
  readonly changes: readonly PermissionOp[];
}

/**
 * Accepts a synchronization and executes it after the answer. The event `perm.sync` reports the
 * results.
 */
function push(
  { body, key }: SurvivalControlCall,
  { world, game, deeds }: SurvivalHost,
): ControlAnswer {
  const asked = readPush(body);
  game.afterwards(0, () => {
    const nodes = new Set(
      [...world.plugins.values()].flatMap((one) => (one.loaded ? one.permissions : [])),
    );
    const failed: Payload[] = [];
    let applied = 0;
    const note = (change: PermissionOp, reason: string | null): void => {
      if (reason !== null) failed.push({ ...change, reason });
      else applied++;
    };
    for (const head of asked.heads) note(groupChange(head.name), setGroup(world.permissions, head));
    for (const name of asked.removed) note(groupChange(name), dropGroup(world.permissions, name));
    for (const change of asked.changes) note(change, apply(world.permissions, nodes, change));
    const at = game.now();
    deeds.note({ what: "permission.applied", ref: asked.pushId, key, at });
    const result = { pushId: asked.pushId, ok: failed.length === 0, applied, failed, at };
    game.emit("perm.sync", result);
  });
  return { status: 202, body: { pushId: asked.pushId } };
}

const groupChange = (name: string): PermissionOp => ({
  op: "group",
  subjectKind: "group",
  subject: name,
  kind: "group",
  value: name,
});

function readPush(body: unknown): Push {
  const fields = objectBody(body);
  const groups = readObjectList(fields, "groups");
  const users = readObjectList(fields, "users");
  return {
    pushId: readRequiredText(fields, "pushId", 1, 64),
    removed: optionalTexts(fields, "remove"),
    heads: groups.map((group) => ({
      name: readRequiredText(group, "name", 1, 64),
      title: optionalText(group, "title", 64) ?? "",
      rank: readRequiredInteger({ rank: 0, ...group }, "rank", -(2 ** 31), 2 ** 31 - 1),
      parent: optionalText(group, "parent", 64) ?? null,
    })),
    changes: [
      ...groups.flatMap((group) =>
        changesOf(group, "group", readRequiredText(group, "name", 1, 64)),
      ),
      ...users.flatMap((user) => changesOf(user, "user", readRequiredText(user, "steamId", 1, 32))),
    ],
  };
}

function changesOf(
  fields: Readonly<Record<string, unknown>>,
  subjectKind: PermissionOp["subjectKind"],
  subject: string,
): PermissionOp[] {
  const those = (op: Op, kind: PermissionOp["kind"]): PermissionOp[] =>
    optionalTexts(fields, op).map((value) => ({ op, subjectKind, subject, kind, value }));
  return [
    ...those("revoke", "permission"),
    ...those("leave", "membership"),
    ...those("grant", "permission"),
    ...those("join", "membership"),
  ];
}

/**
 * Creates or changes a group. Its parent must exist already.
 * @returns null, or the reason for a refusal
 */
function setGroup(permissions: Permissions, { name, title, rank, parent }: GroupHead) {
  if (parent !== null && !permissions.groups.has(parent)) return "unknown-group";
  Object.assign(groupOf(permissions, name), { title, rank, parent });
  return null;
}

/**
 * Deletes a group. Groups below it lose their parent and users lose their membership, without an event.
 * @returns null, or the reason for a refusal
 */
function dropGroup({ groups, users }: Permissions, name: string): string | null {
  if (!groups.delete(name)) return "unknown-group";
  for (const group of groups.values()) if (group.parent === name) group.parent = null;
  for (const user of users.values()) user.groups.delete(name);
  return null;
}

function apply(
  permissions: Permissions,
  nodes: ReadonlySet<string>,
  { op, subjectKind, subject, value }: PermissionOp,
): string | null {
  if (subjectKind === "user" && !isSteamId(subject)) return "invalid-id";
  const isPermission = op === "grant" || op === "revoke";
  // The permissions of a plugin that is not loaded are unknown. They cannot be granted, but they
  // can be revoked.
  if (op === "grant" && !nodes.has(value)) return "unknown-permission";
  if (op === "join" && !permissions.groups.has(value)) return "unknown-group";
  const isGroup = subjectKind === "group";
  const { permissions: held } = (isGroup ? groupOf : holderOf)(permissions, subject);
  const set = isPermission ? held : holderOf(permissions, subject).groups;
  if (op === "grant" || op === "join") set.add(value);
  else set.delete(value);
  return null;
}
