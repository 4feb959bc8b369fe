import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { groupNamePattern } from "../../shared/survival/permissions/group-tree.ts";
import {
  createGroup,
  changeGroup,
  deleteGroup,
  type GroupChange,
  type NewGroup,
} from "../../shared/survival/permissions/groups/manage-groups.ts";
import { explainPlayer } from "../../shared/survival/permissions/reports/explain.ts";
import { readOwnPermissions } from "../../shared/survival/permissions/reports/own-permissions.ts";
import { findGroup } from "../../shared/survival/permissions/reports/read-groups.ts";
import {
  readCatalog,
  readInventory,
} from "../../shared/survival/permissions/reports/read-inventory.ts";
import { readOverview } from "../../shared/survival/permissions/reports/read-sync.ts";
import {
  type SyncOrder,
  syncPermissions,
} from "../../shared/survival/permissions/sync/sync-now.ts";
import { nameText } from "../../shared/visible-text.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { byId, idField, idParam } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { scopeField, steamIdParam } from "./fields.ts";
import { viewExplained } from "./permission-report-views.ts";
import { viewGroup, viewOverview, viewOwnPermissions } from "./permission-views.ts";

const base = "/api/v1/admin/survival/permissions";
const common = { set: "additive", tag: "Survival staff" } as const;
const forStaff = { ...common, gate: "roles:admin,moderator" } as const;
const forAdmins = { ...common, gate: "roles:admin" } as const;

const groupName = Joi.string().pattern(groupNamePattern, "group name").example("vip");

const groupFields = {
  title: nameText(64).allow("").example("VIP"),
  rank: Joi.number().integer().min(-10_000).max(10_000).example(3),
  parent: groupName
    .allow(null)
    .example("member")
    .description("The group whose permissions it has as well."),
  permissions: Joi.array<string[]>()
    .items(Joi.string().max(limits.permissionNode))
    .max(limits.groupPermissions)
    .example(["kits.vip"])
    .description("In lower case; `kits.*` stands for what a server has registered under it."),
  scope: scopeField,
};

/** For the refusal of what is based on another revision. */
const based = {
  when: "optional",
  as: "hash",
  current: async (
    { params: { id } }: { readonly params: { readonly id: number } },
    context: ApiContext,
  ) => viewGroup(await findGroup(id, context)),
} as const;

const group = { enveloped: "group", shape: "PermissionGroup" } as const;

/** Who may do what on the survival servers. */
export const permissionsRoutes = [
  route({
    gate: "auth",
    set: "core",
    tag: "Survival",
    method: "get",
    path: "/api/v1/player/survival/permissions",
    summary: "The caller's own permissions, with the servers that each reaches",
    description:
      "What was given to the linked Steam accounts. `live` says that a server has it, by its own " +
      "word, and stays while one that is off could not be told that it has ended.",
    answers: { 200: "OwnPermissions" },
    handle: async ({ caller }, context) =>
      viewOwnPermissions(await readOwnPermissions(caller.userId, context)),
  }),
  route({
    ...forStaff,
    method: "get",
    path: base,
    summary: "Permission groups, and how each server stands",
    description: "A drift is cut to 50 entries of a kind; a server's inventory has all of it.",
    answers: { 200: "PermissionsOverview" },
    handle: async (_input, context) => viewOverview(await readOverview(context)),
  }),
  route({
    ...forStaff,
    method: "get",
    path: `${base}/catalog`,
    summary: "Permissions that the plugins of the servers have registered",
    query: Joi.object<{ server?: number }, true>({
      server: idField.description("Of this server alone."),
    }),
    answers: { 200: "PermissionCatalog" },
    handle: async ({ query }, context) => ({
      permissions: await readCatalog(query.server, context),
    }),
  }),
  route({
    ...forAdmins,
    method: "post",
    path: `${base}/groups`,
    summary: "Make a permission group",
    description: "Servers have it some seconds later. Without a scope it is for all of them.",
    body: Joi.object<NewGroup>({ name: groupName.required(), ...groupFields }),
    answers: { 201: group, 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createGroup(body, caller, context);
      return answer(201, { group: viewGroup(await findGroup(id, context)) });
    },
  }),
  route({
    ...forAdmins,
    method: "put",
    path: `${base}/groups/:id`,
    summary: "Change a permission group",
    description:
      "Absent fields stay. A new name goes along to those in it and below it. Of the game's own " +
      "groups the permissions and the scope can be changed.",
    params: byId,
    body: Joi.object<GroupChange>({ name: groupName, ...groupFields }),
    basedOn: based,
    answers: { 200: group, 404: "Error", 409: "Error" },
    find: ({ params }, context) => findGroup(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      await changeGroup(id, body, caller, context);
      return { group: viewGroup(await findGroup(id, context)) };
    },
  }),
  route({
    ...forAdmins,
    method: "delete",
    path: `${base}/groups/:id`,
    summary: "Delete a permission group",
    description:
      "Nobody is in it any more; `detached` groups stood below it and stand alone then. The game's " +
      "own groups are 409.",
    params: byId,
    basedOn: based,
    answers: { 200: "PermissionGroupDeleted", 404: "Error", 409: "Error" },
    find: ({ params }, context) => findGroup(params.id, context),
    handle: ({ params: { id }, caller }, context) => deleteGroup(id, caller, context),
  }),
  route({
    ...forStaff,
    method: "get",
    path: `${base}/users/:steamId`,
    summary: "What a player may do on every server, and why",
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    answers: { 200: "PermissionsExplained" },
    handle: async ({ params }, context) =>
      viewExplained(await explainPlayer(params.steamId, context)),
  }),
  route({
    ...forAdmins,
    method: "post",
    path: `${base}/sync`,
    summary: "Push permissions now, or see what a push would do",
    description:
      "Without `serverIds` all enabled servers are meant whose `permissionSync` is on. A push is " +
      "`pushing` until the server says what came of it.",
    body: Joi.object<SyncOrder>({
      serverIds: Joi.array().items(idField).unique().min(1).max(100).example([3]),
      dryRun: Joi.boolean().default(false).description("Only says what would be done."),
    }),
    answers: { 200: "PermissionsSynced" },
    handle: ({ body, caller }, context) => syncPermissions(body, caller, context),
  }),
  route({
    ...forStaff,
    method: "get",
    path: `${base}/inventory/:serverId`,
    summary: "What a server last said that its players may do, and how that differs from ours",
    params: Joi.object<{ serverId: number }, true>({ serverId: idParam }),
    answers: { 200: "PermissionInventory", 404: "Error" },
    handle: ({ params }, context) => readInventory(params.serverId, context),
  }),
];
