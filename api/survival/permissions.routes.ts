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
import { answer } from "../http/answer.ts";
import { hashedThing } from "../http/based-on.ts";
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
  title: nameText(64).allow("").description("Name that the game shows.").example("VIP"),
  rank: Joi.number()
    .integer()
    .min(-10_000)
    .max(10_000)
    .description("Order of the groups. Lists start with the highest rank.")
    .example(3),
  parent: groupName
    .allow(null)
    .example("member")
    .description("Name of the group whose permissions this group inherits."),
  permissions: Joi.array<string[]>()
    .items(Joi.string().max(limits.permissionNode))
    .max(limits.groupPermissions)
    .example(["kits.vip"])
    .description(
      "Permissions in lower case. `kits.*` grants all permissions below `kits.` that the plugins " +
        "of a server have registered.",
    ),
  scope: scopeField,
};

/** For the refusal of what is based on another revision. */
const based = hashedThing(async (id, context) => viewGroup(await findGroup(id, context)));

const group = { enveloped: "group", shape: "PermissionGroup" } as const;

/** Who may do what on the survival servers. */
export const permissionsRoutes = [
  route({
    gate: "auth",
    set: "core",
    tag: "Survival",
    method: "get",
    path: "/api/v1/player/survival/permissions",
    summary: "List the caller's permissions",
    description:
      "Returns the permissions and group memberships of the caller's linked Steam accounts, each " +
      "with the listed servers on which it is valid. `live` tells whether a server has confirmed " +
      "it. A grant that has ended stays in the list while a server that is offline still has it.",
    answers: { 200: "OwnPermissions" },
    handle: async ({ caller }, context) =>
      viewOwnPermissions(await readOwnPermissions(caller.userId, context)),
  }),
  route({
    ...forStaff,
    method: "get",
    path: base,
    summary: "List permission groups and sync states",
    description:
      "Returns all groups, the sync state of each server and totals. Each list of a drift is cut " +
      "to 50 entries; read the inventory of a server for all entries.",
    answers: { 200: "PermissionsOverview" },
    handle: async (_input, context) => viewOverview(await readOverview(context)),
  }),
  route({
    ...forStaff,
    method: "get",
    path: `${base}/catalog`,
    summary: "List the permissions that plugins have registered",
    description:
      "Returns the permissions that can be granted, sorted by name, as the servers last reported " +
      "them.",
    query: Joi.object<{ server?: number }, true>({
      server: idField.description("Return only permissions of this server."),
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
    summary: "Create a permission group",
    description:
      "Creates a group and syncs it to the servers within seconds. If `scope` is omitted, the " +
      "group is valid on all servers. Recorded in the activity log as " +
      "`survival.permission.created`. 409 `name_taken` if another group has the name.",
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
      "Omitted fields keep their values. The servers are synced within seconds. A renamed group " +
      "keeps its members and child groups. In groups that the game itself creates, only " +
      "`permissions` and `scope` can be changed: a new name is 409 `group_protected`, and a new " +
      "title, rank or parent is 400. 409 `name_taken` if another group has the name. Recorded in " +
      "the activity log as `survival.permission.changed`.",
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
      "Deletes a group, revokes all memberships in it and removes the group from the servers " +
      "within seconds. Its child groups stay, without a parent. The members receive a push " +
      "message. Recorded in the activity log as `survival.permission.deleted`. 409 " +
      "`group_protected` for groups that the game itself creates.",
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
    summary: "Explain the permissions of a player",
    description:
      "Returns the grants of a Steam account and the permissions that follow from them, each " +
      "with its origin and the servers on which it is valid. Servers whose permissions the site " +
      "does not manage are left out. Steam accounts that the site does not know are accepted, " +
      "too.",
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    answers: { 200: "PermissionsExplained" },
    handle: async ({ params }, context) =>
      viewExplained(await explainPlayer(params.steamId, context)),
  }),
  route({
    ...forAdmins,
    method: "post",
    path: `${base}/sync`,
    summary: "Sync permissions to survival servers now",
    description:
      "Sends each server the changes that it lacks, without waiting for the automatic sync. A " +
      "server that cannot be reached does not fail the request. A sync is `pushing` until the " +
      "server reports its result. With `dryRun`, nothing is sent, and the response contains the " +
      "steps that a sync would take. Recorded in the activity log as " +
      "`survival.permission.synced`. 400 for a server that does not exist or whose " +
      "`permissionSync` is off.",
    body: Joi.object<SyncOrder>({
      serverIds: Joi.array()
        .items(idField)
        .unique()
        .min(1)
        .max(100)
        .description("Servers to sync. If omitted, all enabled servers with `permissionSync`.")
        .example([3]),
      dryRun: Joi.boolean().default(false).description("Return the steps without sending them."),
    }),
    answers: { 200: "PermissionsSynced" },
    handle: ({ body, caller }, context) => syncPermissions(body, caller, context),
  }),
  route({
    ...forStaff,
    method: "get",
    path: `${base}/inventory/:serverId`,
    summary: "Get the permission inventory of a survival server",
    description:
      "Returns the groups, permissions and players that the server last reported, and the drift: " +
      "the differences from what the site has synced. Works while the server is offline, too. " +
      "404 for an unknown server.",
    params: Joi.object<{ serverId: number }, true>({
      serverId: idParam.description("Id of the survival server."),
    }),
    answers: { 200: "PermissionInventory", 404: "Error" },
    handle: ({ params }, context) => readInventory(params.serverId, context),
  }),
];
