import Joi from "joi";

import {
  type LedgerState,
  ledgerStates,
  type LedgerObjectType,
  ledgerObjectTypes,
} from "../../models/survival/survival-ledger-entry.ts";
import { limits } from "../../shared/platform/limits.ts";
import { type LedgerSearch, readLedger } from "../../shared/survival/calls/ledger.ts";
import { idField, limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";

export const ledgerRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalLedgerPage:
   *       type: object
   *       additionalProperties: false
   *       required: [ledger]
   *       properties:
   *         ledger: { type: array, items: { $ref: '#/components/schemas/SurvivalLedgerEntry' } }
   *         next:
   *           type: integer
   *           description: 'Cursor for the next page: send it as `before`. Absent on the last page.'
   *           example: 411
   *     SurvivalLedgerEntry:
   *       type: object
   *       additionalProperties: false
   *       required:
   *         [id, serverId, what, ref, state, pushedAt, confirmedAt, leaseUntil, endedAt, reason, runId, stepId, bootId]
   *       properties:
   *         id: { type: integer, example: 412 }
   *         serverId: { type: integer, example: 3 }
   *         what:
   *           type: string
   *           enum: [zone, npc, placement, grant, group, titles, voice, participation, kit, announce, map, config]
   *         ref:
   *           type: string
   *           description: >-
   *             Id of the change. The id of a zone is its lease id; of a configuration, the id of
   *             the write; of a kit, the id of the kit; of a count of participants, the id of the
   *             count; and of all other types, a generated id.
   *           example: 0b7c1f5e-6d0a-4c3e-9a51-2f8f6f3f7d10
   *         state:
   *           type: string
   *           enum: [pushed, confirmed, expired, withdrawn, failed, lost]
   *           description: >-
   *             State of the change. `pushed`: the change was sent or waits to be sent, and the
   *             server has not confirmed it yet. `confirmed`: the change is in effect on the server.
   *             `expired`: the change ended because its time was over, or because of a wipe or the
   *             game. `withdrawn`: the site ended the change. `failed`: the game server refused the
   *             change. `lost`: the game server did not respond, so the change may or may not be in
   *             effect.
   *         pushedAt: { type: string, format: date-time }
   *         confirmedAt: { type: string, format: date-time, nullable: true }
   *         leaseUntil:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the zone or the count of participants ends. Null for all other types.
   *         endedAt: { type: string, format: date-time, nullable: true }
   *         reason:
   *           type: string
   *           nullable: true
   *           example: timeout
   *           description: >-
   *             Why the change ended or failed. Null if the change has neither ended nor failed.
   *         runId:
   *           type: integer
   *           nullable: true
   *           example: 12
   *           description: >-
   *             Id of the event run that caused the change. Null if no event run caused it.
   *         stepId:
   *           type: integer
   *           nullable: true
   *           example: 118
   *           description: Id of the step of this run. Null if a person opened the zone.
   *         bootId:
   *           type: string
   *           nullable: true
   *           description: Id of the game process in which the change ended. Null while unknown.
   *           example: 5d3b1c1e
   */
  defineRoute({
    method: "get",
    path: "/api/v1/admin/survival/ledger",
    gate: "roles:admin",
    set: "additive",
    tag: "Survival staff",
    summary: "List what the site changed on survival servers",
    description:
      "Returns the ledger, newest entry first. Each entry is a change that the site sent to a " +
      "game server, with its outcome. Such changes are, for example, zones, kits, announcements " +
      "and configuration writes. A sync of permissions, NPCs or titles has one entry for each " +
      "type of data that it changed.",
    query: Joi.object<LedgerSearch, true>({
      server: idField.description("Id of a survival server. Returns only entries of this server."),
      what: Joi.string<LedgerObjectType>()
        .valid(...ledgerObjectTypes)
        .description("Returns only entries of this type."),
      state: Joi.string<LedgerState>()
        .valid(...ledgerStates)
        .description("Returns only entries in this state."),
      before: idField.description(
        "Cursor for paging: returns only entries that are older than the entry with this id.",
      ),
      limit: limitField(limits.ledgerPage),
    }),
    answers: { 200: "SurvivalLedgerPage" },
    handle: ({ query }, context) => readLedger(query, context),
  }),
];
