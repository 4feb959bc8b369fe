import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import { steamIdPattern } from "../../shared/survival/kinds/fields.ts";
import {
  changeGrant,
  createGrant,
  type GrantChange,
  type NewGrant,
  revokeGrant,
} from "../../shared/survival/permissions/grants/manage-grants.ts";
import {
  findGrant,
  type GrantSearch,
  type GrantState,
  grantStates,
  readGrants,
  requireGrant,
} from "../../shared/survival/permissions/grants/read-grants.ts";
import { createAnswer } from "../http/answer.ts";
import { hashRevisionCheck } from "../http/based-on.ts";
import { rowIdParams, idField, limitField, offsetField, timeField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { scopeField } from "./fields.ts";
import { viewGrant } from "./permission-views.ts";

const common = { set: "additive", tag: "Survival staff" } as const;
const forAdmins = { ...common, gate: "roles:admin" } as const;
const base = "/api/v1/admin/survival/permissions/grants";

const steamId = Joi.string().pattern(steamIdPattern, "Steam id");
const value = Joi.string().min(1).max(limits.permissionNode).example("kits.vip");

const terms = {
  scope: scopeField,
  expiresAt: timeField
    .allow(null)
    .description("When the grant expires, in the future. Null for no expiry."),
  reason: nameTextField(200)
    .allow(null)
    .description("Note about the grant for staff. Players do not see it.")
    .example("Won the spring event"),
};

/** The revision check of a grant. A `stale_revision` refusal contains the current grant. */
const based = hashRevisionCheck(async (id, context) => viewGrant(await findGrant(id, context)));

const grant = { enveloped: "grant", shape: "PermissionGrant" } as const;

export const grantsRoutes = [
  defineRoute({
    ...common,
    gate: "roles:admin,moderator",
    method: "get",
    path: base,
    summary: "List the grants of players",
    description:
      "Returns the permissions and group memberships that were granted to players, newest first. " +
      "The list includes expired and revoked grants.",
    query: Joi.object<GrantSearch, true>({
      steamId: steamId.description("SteamID64 of a player. Returns only grants of this player."),
      userId: idField.description(
        "Id of a user of the site. Returns only grants that were made for this user.",
      ),
      group: value
        .example("vip")
        .description("Name of a group. Returns only memberships in this group."),
      value: value.description(
        "A permission, or the name of a group. Returns only grants of this permission or group.",
      ),
      server: idField.description(
        "Id of a survival server. Returns only grants that are valid on this server.",
      ),
      state: Joi.string<GrantState>()
        .valid(...grantStates)
        .description("Returns only grants in this state."),
      limit: limitField(limits.grantPage),
      offset: offsetField,
    }),
    answers: { 200: "PermissionGrantPage" },
    handle: async ({ query }, context) => {
      const { grants, total } = await readGrants(query, context);
      return { grants: grants.map(viewGrant), total };
    },
  }),
  defineRoute({
    ...forAdmins,
    method: "post",
    path: base,
    summary: "Grant a permission or group membership",
    description:
      "Creates a grant for a Steam account or for a user of the site, and sends it to the " +
      "servers within seconds. The user receives a push message. A grant for a user is revoked " +
      "when the user unlinks any Steam account. The activity log records the request as " +
      "`survival.permission.granted`. 409 `grant_exists` if the player already has an active " +
      "grant of the same permission or group, even if that grant is valid on other servers: " +
      "change that grant instead. If the request contains `userId`, the response is 404 if the " +
      "user has not linked the Steam account in `steamId` or has linked none, and 400 if the " +
      "user has linked several Steam accounts and `steamId` is absent.",
    body: Joi.object<NewGrant>({
      kind: Joi.valid("permission", "membership").required(),
      steamId: steamId.description(
        "SteamID64 of the player. Optional if the request contains `userId`.",
      ),
      userId: idField.description(
        "Id of the user of the site who receives the grant. Send `steamId`, `userId` or both.",
      ),
      value: value
        .required()
        .description(
          "A permission in lower case, such as `kits.vip` or `kits.*`, or the name of a group. " +
            "Permissions that the site must not grant, such as those of the mod loader, are " +
            "refused.",
        ),
      ...terms,
    })
      .or("steamId", "userId")
      .example({ kind: "membership", steamId: "76561198012345678", value: "vip" }),
    answers: { 201: grant, 404: "Error", 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createGrant(body, caller, context);
      return createAnswer(201, { grant: viewGrant(await findGrant(id, context)) });
    },
  }),
  defineRoute({
    ...forAdmins,
    method: "put",
    path: `${base}/:id`,
    summary: "Change a grant",
    description:
      "Changes the servers, the expiry and the reason of a grant. Fields that the request omits " +
      "keep their values. The service sends the change to the servers within seconds. The " +
      "activity log records the request as `survival.permission.changed`. 409 `grant_ended` if " +
      "the grant has expired or was revoked: create a new grant instead.",
    params: rowIdParams,
    body: Joi.object<GrantChange>(terms),
    basedOn: based,
    answers: { 200: grant, 404: "Error", 409: "Error" },
    find: ({ params }, context) => requireGrant(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      await changeGrant(id, body, caller, context);
      return { grant: viewGrant(await findGrant(id, context)) };
    },
  }),
  defineRoute({
    ...forAdmins,
    method: "delete",
    path: `${base}/:id`,
    summary: "Revoke a grant",
    description:
      "Revokes a grant and removes it from the servers within seconds, or from an offline server " +
      "as soon as the server is online again. The list of grants still contains the grant, with " +
      "the state `revoked`. The user receives a push message. The activity log records the " +
      "request as `survival.permission.revoked`. 409 `grant_ended` if the grant has expired or " +
      "was already revoked.",
    params: rowIdParams,
    basedOn: based,
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: ({ params }, context) => requireGrant(params.id, context),
    handle: async ({ params: { id }, caller }, context) => {
      await revokeGrant(id, caller, context);
      return { id };
    },
  }),
];
