import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import {
  createGroup,
  changeGroup,
  deleteGroup,
  type GroupChange,
  type NewGroup,
} from "../../shared/survival/permissions/grants/manage-groups.ts";
import { findGroup } from "../../shared/survival/permissions/grants/read-groups.ts";
import { groupNamePattern } from "../../shared/survival/permissions/group-tree.ts";
import {
  explainPlayerPermissions,
  readOwnPermissions,
} from "../../shared/survival/permissions/reports/player-permissions.ts";
import {
  readRegisteredPermissions,
  readInventory,
} from "../../shared/survival/permissions/reports/read-inventory.ts";
import {
  readOverview,
  type PermissionSyncRequest,
  syncPermissions,
} from "../../shared/survival/permissions/reports/sync.ts";
import { createAnswer } from "../http/answer.ts";
import { hashRevisionCheck } from "../http/based-on.ts";
import { rowIdParams, idField, idParam } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { scopeField, steamIdParam } from "./fields.ts";
import { viewPlayerPermissions } from "./permission-report-views.ts";
import { viewGroup, viewPermissionsOverview, viewOwnPermissions } from "./permission-views.ts";

const base = "/api/v1/admin/survival/permissions";
const common = { set: "additive", tag: "Survival staff" } as const;
const forStaff = { ...common, gate: "roles:admin,moderator" } as const;
const forAdmins = { ...common, gate: "roles:admin" } as const;

const groupName = Joi.string().pattern(groupNamePattern, "group name").example("vip");

const groupFields = {
  title: nameTextField(64)
    .allow("")
    .description("Title of the group, which the game shows.")
    .example("VIP"),
  rank: Joi.number()
    .integer()
    .min(-10_000)
    .max(10_000)
    .description("Rank of the group. Lists begin with the group of the highest rank.")
    .example(3),
  parent: groupName
    .allow(null)
    .example("member")
    .description("Name of the parent group, whose permissions this group inherits. Null for none."),
  permissions: Joi.array<string[]>()
    .items(Joi.string().max(limits.permissionNode))
    .max(limits.groupPermissions)
    .example(["kits.vip"])
    .description(
      "Permissions of the group, in lower case. `kits.*` stands for all permissions that begin " +
        "with `kits.` and that the plugins of a server have registered.",
    ),
  scope: scopeField,
};

/** The revision check of a group. A `stale_revision` refusal contains the current group. */
const based = hashRevisionCheck(async (id, context) => viewGroup(await findGroup(id, context)));

const group = { enveloped: "group", shape: "PermissionGroup" } as const;

export const permissionsRoutes = [
  defineRoute({
    gate: "auth",
    set: "core",
    tag: "Survival",
    method: "get",
    path: "/api/v1/player/survival/permissions",
    summary: "List the caller's permissions",
    description:
      "Returns the permissions and group memberships of the caller's linked Steam accounts, each " +
      "with the listed servers on which it is valid. `live` says whether a server has confirmed " +
      "the permission or membership. A grant that has ended stays in the list as long as a " +
      "server that is offline still has it.",
    answers: { 200: "OwnPermissions" },
    handle: async ({ caller }, context) =>
      viewOwnPermissions(await readOwnPermissions(caller.userId, context)),
  }),
  defineRoute({
    ...forStaff,
    method: "get",
    path: base,
    summary: "List permission groups and sync states",
    description:
      "Returns all permission groups, the sync state of each server, and totals. The `drift` of " +
      "each server lists at most 50 `extra` and 50 `missing` entries. `GET " +
      "/admin/survival/permissions/inventory/{serverId}` returns all entries.",
    answers: { 200: "PermissionsOverview" },
    handle: async (_input, context) => viewPermissionsOverview(await readOverview(context)),
  }),
  defineRoute({
    ...forStaff,
    method: "get",
    path: `${base}/catalog`,
    summary: "List the permissions that plugins have registered",
    description:
      "Returns the permissions that can be granted, as the game servers last reported them, " +
      "sorted by name.",
    query: Joi.object<{ server?: number }, true>({
      server: idField.description(
        "Id of a survival server. Limits the list to the permissions that exist on this server. " +
          "Without `server`, the list contains the permissions of all servers.",
      ),
    }),
    answers: { 200: "PermissionCatalog" },
    handle: async ({ query }, context) => ({
      permissions: await readRegisteredPermissions(query.server, context),
    }),
  }),
  defineRoute({
    ...forAdmins,
    method: "post",
    path: `${base}/groups`,
    summary: "Create a permission group",
    description:
      "Creates a permission group and sends it to the servers within seconds. If `scope` is " +
      "absent, the group is valid on all servers. The activity log records the request as " +
      "`survival.permission.created`. 409 `name_taken` if another group has the name.",
    body: Joi.object<NewGroup>({ name: groupName.required(), ...groupFields }),
    answers: { 201: group, 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createGroup(body, caller, context);
      return createAnswer(201, { group: viewGroup(await findGroup(id, context)) });
    },
  }),
  defineRoute({
    ...forAdmins,
    method: "put",
    path: `${base}/groups/:id`,
    summary: "Change a permission group",
    description:
      "Fields that the request omits keep their values. The service sends the change to the " +
      "servers within seconds. A renamed group keeps its members and child groups. If the game " +
      "itself created the group, only `permissions` and `scope` can be changed: a new `name` is " +
      "409 `group_protected`, a new `title`, `rank` or `parent` is 400. 409 `name_taken` if " +
      "another group has the name. The activity log records the request as " +
      "`survival.permission.changed`.",
    params: rowIdParams,
    body: Joi.object<GroupChange>({ name: groupName, ...groupFields }),
    basedOn: based,
    answers: { 200: group, 404: "Error", 409: "Error" },
    find: ({ params }, context) => findGroup(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      await changeGroup(id, body, caller, context);
      return { group: viewGroup(await findGroup(id, context)) };
    },
  }),
  defineRoute({
    ...forAdmins,
    method: "delete",
    path: `${base}/groups/:id`,
    summary: "Delete a permission group",
    description:
      "Deletes the group, revokes all memberships in it, and removes it from the servers within " +
      "seconds. Child groups of the group stay, but have no parent afterwards. The members " +
      "receive a push message. The activity log records the request as " +
      "`survival.permission.deleted`. 409 `group_protected` if the game itself created the group.",
    params: rowIdParams,
    basedOn: based,
    answers: { 200: "PermissionGroupDeleted", 404: "Error", 409: "Error" },
    find: ({ params }, context) => findGroup(params.id, context),
    handle: ({ params: { id }, caller }, context) => deleteGroup(id, caller, context),
  }),
  defineRoute({
    ...forStaff,
    method: "get",
    path: `${base}/users/:steamId`,
    summary: "Explain the permissions of a player",
    description:
      "Returns the grants of a Steam account and the permissions that result from them. For each " +
      "permission, the response contains its origin and the servers on which it is valid. " +
      "Servers whose permissions the site does not manage are left out. The operation also " +
      "accepts Steam accounts that the site does not know.",
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    answers: { 200: "PermissionsExplained" },
    handle: async ({ params }, context) =>
      viewPlayerPermissions(await explainPlayerPermissions(params.steamId, context)),
  }),
  defineRoute({
    ...forAdmins,
    method: "post",
    path: `${base}/sync`,
    summary: "Sync permissions to survival servers now",
    description:
      "Sends each server the changes of permissions that it does not have yet, without waiting " +
      "for the automatic sync. If a server cannot be reached, the request still succeeds. The " +
      "state of a sync is `pushing` until the server reports the result. With `dryRun`, the " +
      "response contains the steps that a sync would take, and nothing is sent. The activity log " +
      "records the request as `survival.permission.synced`. 400 if a server does not exist, or " +
      "if its `permissionSync` is false.",
    body: Joi.object<PermissionSyncRequest>({
      serverIds: Joi.array()
        .items(idField)
        .unique()
        .min(1)
        .max(100)
        .description(
          "Ids of the servers to sync. If absent, the operation syncs all enabled servers whose " +
            "`permissionSync` is true.",
        )
        .example([3]),
      dryRun: Joi.boolean()
        .default(false)
        .description(
          "Whether to return the steps of the sync without sending anything. Default: false.",
        ),
    }),
    answers: { 200: "PermissionsSynced" },
    handle: ({ body, caller }, context) => syncPermissions(body, caller, context),
  }),
  defineRoute({
    ...forStaff,
    method: "get",
    path: `${base}/inventory/:serverId`,
    summary: "Get the permission inventory of a survival server",
    description:
      "Returns the groups, permissions and players that the server last reported, and the drift: " +
      "the differences between this report and what the site has sent to the server. The " +
      "operation also works while the server is offline. 404 `not_found` if the server is " +
      "unknown.",
    params: Joi.object<{ serverId: number }, true>({
      serverId: idParam.description("Id of the survival server."),
    }),
    answers: { 200: "PermissionInventory", 404: "Error" },
    handle: ({ params }, context) => readInventory(params.serverId, context),
  }),
];
