import Joi from "joi";

import { stances } from "../../models/survival/survival-faction-pair.ts";
import {
  type FactionPair,
  type FactionTable,
  readFactions,
  writeFactions,
} from "../../shared/survival/npcs/factions/factions.ts";
import { factionPattern } from "../../shared/survival/npcs/profiles/profile-fields.ts";
import { readNpcServers } from "../../shared/survival/npcs/push/push-states.ts";
import type { ApiContext } from "../context.ts";
import { route } from "../http/route.ts";

const common = {
  tag: "Survival staff",
  gate: "roles:admin",
  path: "/api/v1/admin/survival/npcs/factions",
  answers: { 200: "NpcFactions" },
} as const;

const faction = Joi.string().pattern(factionPattern, "faction").required().example("bandits");

/** How the factions of NPCs stand to each other, on every survival server. */
export const npcFactionsRoutes = [
  route({
    ...common,
    set: "additive",
    method: "get",
    summary: "How the factions of NPCs stand to each other",
    handle: async (_input, context) => viewFactions(await readFactions(context), context),
  }),
  route({
    ...common,
    set: "core",
    method: "put",
    summary: "Write anew how the factions of NPCs stand to each other",
    description:
      "The whole table: one row for two factions, both ways. What it does not name is neutral; those of " +
      "one faction are allies.",
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
 *         factions: { type: array, items: { type: string }, description: Those in use or in the table. }
 *         pairs:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [a, b, stance]
 *             properties:
 *               a: { type: string, description: The first of the two in the order of their names., example: bandits }
 *               b: { type: string, example: scientists }
 *               stance: { type: string, enum: [ally, neutral, hostile] }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 *         updatedBy: { type: string, nullable: true, example: robin }
 *         push:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [serverId, state, at, error]
 *             properties:
 *               serverId: { type: integer, example: 3 }
 *               state: { $ref: '#/components/schemas/NpcReach' }
 *               at: { type: string, format: date-time, nullable: true, description: When it was tried last. }
 *               error: { type: string, nullable: true, example: MALFORMED }
 */
async function viewFactions(table: FactionTable, context: ApiContext) {
  const servers = await readNpcServers(context);
  const push = servers.map(({ serverId, state, at, error }) => ({ serverId, state, at, error }));
  return { ...table, push };
}
