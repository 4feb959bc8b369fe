import Joi from "joi";

import { type PushedNow, pushNow } from "../../shared/survival/npcs/commands/push-now.ts";
import {
  changeProfile,
  createProfile,
  deleteProfile,
  type NewProfile,
  type ProfileUpdate,
  restoreProfile,
} from "../../shared/survival/npcs/profiles/change-profiles.ts";
import {
  profileFields,
  profileKeyPattern,
} from "../../shared/survival/npcs/profiles/profile-fields.ts";
import {
  readNpcOverview,
  readNpcProfile,
  readRevisions,
  requireNpcProfile,
} from "../../shared/survival/npcs/read-profiles.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { byId, idField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { orderOf } from "../shard/order.ts";
import { viewNpcProfile, viewNpcRevision, viewNpcServer } from "./npc-views.ts";

const common = { set: "additive", tag: "Survival staff", gate: "roles:admin" } as const;
const profile = { enveloped: "profile", shape: "NpcProfile" } as const;

const keyField = Joi.string()
  .pattern(profileKeyPattern, "profile key")
  .description("Game servers know the profile by it; it never changes.")
  .example("forest-boss");

const someIds = Joi.array<number[]>().items(idField).unique().min(1).max(500);

/** For the refusal of what is based on another revision. */
const based = {
  as: "number",
  current: (
    { params: { id } }: { readonly params: { readonly id: number } },
    context: ApiContext,
  ) => viewProfile(id, context),
} as const;

const findProfile = (
  { params: { id } }: { readonly params: { readonly id: number } },
  context: ApiContext,
): Promise<void> => requireNpcProfile(id, context);

/** How NPCs look, fight and what they drop, on every survival server. */
export const npcProfilesRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/npcs",
    summary: "The NPC profiles, the factions, and how far the servers have them",
    answers: { 200: "NpcOverview" },
    handle: (_input, context) => viewOverview(context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs",
    summary: "Add an NPC profile",
    description:
      "What is left out is as the NPC plugins have it. Servers are pushed it a little later, and again " +
      "whenever they come back.",
    body: Joi.object<NewProfile>({
      key: keyField.required(),
      ...profileFields,
      displayName: profileFields.displayName.required(),
    }),
    answers: { 201: profile, 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createProfile(body, caller, context);
      return answer(201, { profile: await viewProfile(id, context) });
    },
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/npcs/profiles/:id",
    summary: "An NPC profile with the revisions that were replaced",
    description: "The newest hundred of them, the latest first.",
    params: byId,
    answers: { 200: "NpcProfileWithRevisions", 404: "Error" },
    handle: async ({ params: { id } }, context) => {
      const found = await readNpcProfile(id, context);
      const revisions = await readRevisions(found.profile.id, context);
      return { profile: viewNpcProfile(found), revisions: revisions.map(viewNpcRevision) };
    },
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/npcs/profiles/:id",
    summary: "Change an NPC profile",
    description:
      "Absent fields stay, also those of `behaviour` and `death`. What it was is kept as a revision; " +
      "a change that is based on another revision than the current one is refused.",
    params: byId,
    body: Joi.object<ProfileUpdate>({
      key: keyField,
      ...profileFields,
    }),
    basedOn: { ...based, field: "revision", when: "always" },
    answers: { 200: profile, 404: "Error", 409: "Error" },
    find: findProfile,
    handle: async ({ params: { id }, body, caller }, context) => {
      await changeProfile(id, body, caller, context);
      return { profile: await viewProfile(id, context) };
    },
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/survival/npcs/profiles/:id",
    summary: "Delete an NPC profile",
    description:
      "Servers are told to forget it, and its key is free again. One that placements use is kept " +
      "unless `force` is true; then they are switched off.",
    params: byId,
    basedOn: { ...based, when: "optional" },
    query: Joi.object<{ force: boolean }, true>({
      force: Joi.boolean()
        .default(false)
        .description("Whether placements are switched off for it."),
    }),
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: findProfile,
    handle: async ({ params: { id }, query, caller }, context) => {
      await deleteProfile(id, query.force, caller, context);
      return { id };
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/profiles/:id/restore",
    summary: "Make a replaced revision of an NPC profile the current one",
    description:
      "It gets a new number. Of one that was written in a game the fields are taken that the site " +
      "knows; it is refused where one of them breaks a rule.",
    params: byId,
    body: Joi.object<{ revision: number }, true>({
      revision: idField.required().description("The one to restore."),
    }),
    basedOn: { ...based, when: "optional" },
    answers: { 200: profile, 404: "Error" },
    find: findProfile,
    handle: async ({ params: { id }, body, caller }, context) => {
      await restoreProfile(id, body.revision, caller, context);
      return { profile: await viewProfile(id, context) };
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/push",
    summary: "Push profiles, factions and placements to the servers now",
    description:
      "Each server is sent what it lacks, and the named profiles also where it has them. Without " +
      "`serverIds` every enabled server. A server whose NPC plugin is too old is `unsupported`.",
    body: Joi.object<PushedNow>({ serverIds: someIds, profileIds: someIds }).example({
      serverIds: [3],
    }),
    answers: { 200: "NpcsPushed" },
    handle: (input, context) => pushNow(input.body, orderOf(input), context),
  }),
];

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcOverview:
 *       type: object
 *       additionalProperties: false
 *       required: [profiles, factions, servers]
 *       properties:
 *         profiles: { type: array, items: { $ref: '#/components/schemas/NpcProfile' } }
 *         factions: { type: array, items: { type: string }, description: Those in use or in the table. }
 *         servers: { type: array, items: { $ref: '#/components/schemas/NpcServer' } }
 *     NpcProfileWithRevisions:
 *       type: object
 *       additionalProperties: false
 *       required: [profile, revisions]
 *       properties:
 *         profile: { $ref: '#/components/schemas/NpcProfile' }
 *         revisions: { type: array, items: { $ref: '#/components/schemas/NpcRevision' } }
 */
async function viewOverview(context: ApiContext): Promise<object> {
  const { profiles, factions, servers } = await readNpcOverview(context);
  return {
    profiles: profiles.map(viewNpcProfile),
    factions,
    servers: servers.map(viewNpcServer),
  };
}

const viewProfile = async (id: number, context: ApiContext) =>
  viewNpcProfile(await readNpcProfile(id, context));
