import Joi from "joi";

import { stances } from "../../models/survival/npcs/survival-faction-pair.ts";
import {
  type FactionPair,
  type FactionTable,
  readFactions,
  writeFactions,
} from "../../shared/survival/npcs/factions.ts";
import { factionPattern } from "../../shared/survival/npcs/profile-fields.ts";
import { readNpcServers } from "../../shared/survival/npcs/sync/sync-states.ts";
import type { ApiContext } from "../context.ts";
import { defineRoute } from "../http/route.ts";

const common = {
  tag: "Survival staff",
  gate: "roles:admin",
  path: "/api/v1/admin/survival/npcs/factions",
  answers: { 200: "NpcFactions" },
} as const;

const faction = Joi.string().pattern(factionPattern, "faction").required().example("bandits");

export const npcFactionsRoutes = [
  defineRoute({
    ...common,
    set: "additive",
    method: "get",
    summary: "Get the faction table of NPCs",
    description:
      "Returns the stance of NPC factions toward each other, and the sync state of NPC data for " +
      "each server. Two factions for which the table has no row are neutral to each other. NPCs " +
      "of the same faction are allies.",
    handle: async (_input, context) => viewFactions(await readFactions(context), context),
  }),
  defineRoute({
    ...common,
    set: "core",
    method: "put",
    summary: "Replace the faction table of NPCs",
    description:
      "Replaces the whole faction table. Each row (pair of factions) applies in both directions. " +
      "Two factions for which there is no row are neutral to each other. The service sends the " +
      "table to the servers within seconds. The activity log records the request as " +
      "`survival.npc.factions_changed`. 400 if a row names the same faction twice, if two rows " +
      "name the same two factions, or if the table contains more than 64 factions.",
    body: Joi.object<{ pairs: FactionPair[] }, true>({
      pairs: Joi.array<FactionPair[]>()
        .items(
          Joi.object<FactionPair>({
            a: faction,
            b: faction,
            stance: Joi.string()
              .valid(...stances)
              .required(),
          }),
        )
        .max(4_096)
        .required(),
    }),
    basedOn: {
      when: "optional",
      as: "hash",
      current: async (_input, context) => viewFactions(await readFactions(context), context),
    },
    handle: async ({ body, caller }, context) => {
      await writeFactions(body.pairs, caller, context);
      return viewFactions(await readFactions(context), context);
    },
  }),
];

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcFactions:
 *       type: object
 *       additionalProperties: false
 *       required: [factions, pairs, revision, updatedAt, updatedBy, push]
 *       properties:
 *         factions:
 *           type: array
 *           items: { type: string }
 *           description: >-
 *             Names of all factions that occur in an NPC profile or in the faction table.
 *         pairs:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [a, b, stance]
 *             properties:
 *               a:
 *                 type: string
 *                 description: Name of the first faction of the pair, in alphabetical order.
 *                 example: bandits
 *               b: { type: string, example: scientists }
 *               stance: { type: string, enum: [ally, neutral, hostile] }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 *         updatedBy: { type: string, nullable: true, example: robin }
 *         push:
 *           type: array
 *           description: >-
 *             State of the sync of NPC profiles, factions and placements, for each enabled server.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [serverId, state, at, error]
 *             properties:
 *               serverId: { type: integer, example: 3 }
 *               state: { $ref: '#/components/schemas/NpcReach' }
 *               at:
 *                 type: string
 *                 format: date-time
 *                 nullable: true
 *                 description: When the last sync to the server began.
 *               error:
 *                 type: string
 *                 nullable: true
 *                 example: MALFORMED
 *                 description: Why the last sync failed. Null unless the state is `failed`.
 */
async function viewFactions(table: FactionTable, context: ApiContext) {
  const servers = await readNpcServers(context);
  const push = servers.map(({ serverId, state, at, error }) => ({ serverId, state, at, error }));
  return { ...table, push };
}
