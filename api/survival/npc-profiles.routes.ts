import Joi from "joi";

import {
  changeProfile,
  createProfile,
  deleteProfile,
  type NewProfile,
  type ProfileUpdate,
  restoreProfile,
} from "../../shared/survival/npcs/change-profiles.ts";
import { type NpcSyncRequest, syncNpcsNow } from "../../shared/survival/npcs/commands.ts";
import { profileFields, profileKeyPattern } from "../../shared/survival/npcs/profile-fields.ts";
import {
  readNpcOverview,
  readNpcProfile,
  readRevisions,
  requireNpcProfile,
} from "../../shared/survival/npcs/read-profiles.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams, idField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { createCommandRequest } from "../shard/order.ts";
import { viewNpcProfile, viewNpcRevision, viewNpcServer } from "./npc-views.ts";

const common = { set: "additive", tag: "Survival staff", gate: "roles:admin" } as const;
const profile = { enveloped: "profile", shape: "NpcProfile" } as const;

const keyField = Joi.string()
  .pattern(profileKeyPattern, "profile key")
  .description(
    "Key that identifies the profile on the game servers. The key cannot be changed later.",
  )
  .example("forest-boss");

const someIds = Joi.array<number[]>().items(idField).unique().min(1).max(500);

/** The revision check of a profile. A `stale_revision` refusal contains the current profile. */
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

export const npcProfilesRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/npcs",
    summary: "List NPC profiles, factions and sync states",
    description:
      "Returns all NPC profiles sorted by key, the factions that are in use, and the sync state " +
      "of each enabled server.",
    answers: { 200: "NpcOverview" },
    handle: (_input, context) => viewOverview(context),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs",
    summary: "Add an NPC profile",
    description:
      "Creates an NPC profile. For fields that the request omits, the defaults of the NPC " +
      "plugins apply. The service sends the profile to all servers within seconds, and again to " +
      "a server that comes back online. The activity log records the request as " +
      "`survival.npc.created`. 409 `name_taken` if another profile has the key, 409 " +
      "`npc_limit_reached` if there are already 500 profiles.",
    body: Joi.object<NewProfile>({
      key: keyField.required(),
      ...profileFields,
      displayName: profileFields.displayName.required(),
    }),
    answers: { 201: profile, 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const id = await createProfile(body, caller, context);
      return createAnswer(201, { profile: await viewProfile(id, context) });
    },
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/npcs/profiles/:id",
    summary: "Get an NPC profile with its old revisions",
    description:
      "Returns the NPC profile and its 100 newest former revisions, newest first. 404 " +
      "`not_found` if the profile is unknown or was deleted.",
    params: rowIdParams,
    answers: { 200: "NpcProfileWithRevisions", 404: "Error" },
    handle: async ({ params: { id } }, context) => {
      const found = await readNpcProfile(id, context);
      const revisions = await readRevisions(found.profile.id, context);
      return { profile: viewNpcProfile(found), revisions: revisions.map(viewNpcRevision) };
    },
  }),
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/npcs/profiles/:id",
    summary: "Change an NPC profile",
    description:
      "Fields that the request omits keep their values, including fields within `behaviour` and " +
      "`death`. The service keeps the former state as a revision, and sends the change to the " +
      "servers within seconds. If nothing changes, the request creates no revision. The activity " +
      "log records the request as `survival.npc.changed`. 400 if `key` is present and is not the " +
      "current key of the profile.",
    params: rowIdParams,
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
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/survival/npcs/profiles/:id",
    summary: "Delete an NPC profile",
    description:
      "Deletes an NPC profile and removes it from the servers with the next sync. A new profile " +
      "can use the key of the deleted profile. If placements use the profile, the response is " +
      "409 `npc_profile_in_use`, unless `force` is true: then these placements are disabled. The " +
      "activity log records the request as `survival.npc.deleted`.",
    params: rowIdParams,
    basedOn: { ...based, when: "optional" },
    query: Joi.object<{ force: boolean }, true>({
      force: Joi.boolean()
        .default(false)
        .description(
          "Whether to delete the profile even if placements use it, and to disable these " +
            "placements. Default: false.",
        ),
    }),
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: findProfile,
    handle: async ({ params: { id }, query, caller }, context) => {
      await deleteProfile(id, query.force, caller, context);
      return { id };
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/profiles/:id/restore",
    summary: "Restore an old revision of an NPC profile",
    description:
      "Makes a former revision the current state of the profile, under a new revision number, " +
      "and sends it to the servers within seconds. If the revision came from a game server, only " +
      "the fields that the site knows are restored. If the revision is equal to the current " +
      "state, nothing changes. The activity log records the request as `survival.npc.restored`. " +
      "404 `not_found` if the profile or the revision is unknown. 400 if a field of the revision " +
      "is invalid.",
    params: rowIdParams,
    body: Joi.object<{ revision: number }, true>({
      revision: idField.required().description("Number of the revision to restore."),
    }),
    basedOn: { ...based, when: "optional" },
    answers: { 200: profile, 404: "Error" },
    find: findProfile,
    handle: async ({ params: { id }, body, caller }, context) => {
      await restoreProfile(id, body.revision, caller, context);
      return { profile: await viewProfile(id, context) };
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     NpcsPushed:
   *       type: object
   *       additionalProperties: false
   *       required: [results]
   *       properties:
   *         results:
   *           type: array
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [serverId, state, error]
   *             properties:
   *               serverId: { type: integer, example: 3 }
   *               state: { $ref: '#/components/schemas/NpcReach' }
   *               error:
   *                 type: string
   *                 nullable: true
   *                 example: MALFORMED
   *                 description: Why the last sync failed. Null unless the state is `failed`.
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/npcs/push",
    summary: "Sync NPC data to survival servers now",
    description:
      "Sends each server the profiles, factions and placements that it does not have yet, " +
      "without waiting for the automatic sync. Returns the sync state of each server. If a " +
      "server cannot be reached, the request still succeeds. The activity log records the " +
      "request as `survival.npc.pushed`. 400 if a server or profile is unknown; in this case, " +
      "nothing is sent.",
    body: Joi.object<NpcSyncRequest>({
      serverIds: someIds.description(
        "Ids of the servers to sync. If absent, the operation syncs all enabled servers.",
      ),
      profileIds: someIds.description(
        "Ids of profiles to send again even if a server already has them.",
      ),
    }).example({
      serverIds: [3],
    }),
    answers: { 200: "NpcsPushed" },
    handle: (input, context) => syncNpcsNow(input.body, createCommandRequest(input), context),
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
 *         factions:
 *           type: array
 *           items: { type: string }
 *           description: >-
 *             Names of all factions that occur in an NPC profile or in the faction table.
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
