import Joi from "joi";

import { limits } from "../../shared/limits.ts";
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
} from "../../shared/survival/permissions/reports/read-grants.ts";
import { steamIdPattern } from "../../shared/survival/players/steam-id.ts";
import { nameText } from "../../shared/visible-text.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { byId, idField, limitField, offsetField, timeField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { scopeField } from "./fields.ts";
import { viewGrant } from "./permission-views.ts";

const common = { set: "additive", tag: "Survival staff" } as const;
const forAdmins = { ...common, gate: "roles:admin" } as const;
const base = "/api/v1/admin/survival/permissions/grants";

const steamId = Joi.string().pattern(steamIdPattern, "Steam id");
const value = Joi.string().min(1).max(limits.permissionNode).example("kits.vip");

const terms = {
  scope: scopeField,
  expiresAt: timeField.allow(null).description("When it is taken back; null for never."),
  reason: nameText(200).allow(null).example("Won the spring event"),
};

/** For the refusal of what is based on another revision. */
const based = {
  when: "optional",
  as: "hash",
  current: async (
    { params: { id } }: { readonly params: { readonly id: number } },
    context: ApiContext,
  ) => viewGrant(await findGrant(id, context)),
} as const;

const grant = { enveloped: "grant", shape: "PermissionGrant" } as const;

/** What players are given on survival servers. */
export const grantsRoutes = [
  route({
    ...common,
    gate: "roles:admin,moderator",
    method: "get",
    path: base,
    summary: "Grants to players, the latest first",
    query: Joi.object<GrantSearch, true>({
      steamId: steamId.description("Of this player alone."),
      userId: idField.description("Made for this user alone."),
      group: value.example("vip").description("Memberships of this group alone."),
      value: value.description("Of this permission or group alone."),
      server: idField.description("For this server, or all."),
      state: Joi.string<GrantState>()
        .valid(...grantStates)
        .description("In this state alone."),
      limit: limitField(limits.grantPage),
      offset: offsetField,
    }),
    answers: { 200: "PermissionGrantPage" },
    handle: async ({ query }, context) => {
      const { grants, total } = await readGrants(query, context);
      return { grants: grants.map(viewGrant), total };
    },
  }),
  route({
    ...forAdmins,
    method: "post",
    path: base,
    summary: "Give a player a permission, or put him into a group",
    description:
      "The player is named by a Steam id or as a user; one with several Steam accounts is 400 unless " +
      "`steamId` names one of them, one without is 404. What is given to a user ends with his link. " +
      "The same permission or group twice is 409, whatever the scope: change the first grant.",
    body: Joi.object<NewGrant>({
      kind: Joi.valid("permission", "membership").required(),
      steamId,
      userId: idField,
      value: value.required().description("A permission in lower case, or the name of a group."),
      ...terms,
    })
      .or("steamId", "userId")
      .example({ kind: "membership", steamId: "76561198012345678", value: "vip" }),
    answers: { 201: grant, 404: "Error", 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createGrant(body, caller, context);
      return answer(201, { grant: viewGrant(await findGrant(id, context)) });
    },
  }),
  route({
    ...forAdmins,
    method: "put",
    path: `${base}/:id`,
    summary: "Change where a grant holds, until when and why",
    description: "Absent fields stay. One that has ended is 409: make a new one.",
    params: byId,
    body: Joi.object<GrantChange>(terms),
    basedOn: based,
    answers: { 200: grant, 404: "Error", 409: "Error" },
    find: ({ params }, context) => requireGrant(params.id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      await changeGrant(id, body, caller, context);
      return { grant: viewGrant(await findGrant(id, context)) };
    },
  }),
  route({
    ...forAdmins,
    method: "delete",
    path: `${base}/:id`,
    summary: "Take a grant back",
    description: "It stays in the list as revoked. One that has ended is 409.",
    params: byId,
    basedOn: based,
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: ({ params }, context) => requireGrant(params.id, context),
    handle: async ({ params: { id }, caller }, context) => {
      await revokeGrant(id, caller, context);
      return { id };
    },
  }),
];
