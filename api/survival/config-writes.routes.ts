import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { rollBackConfigWrite } from "../../shared/survival/config/write-file.ts";
import {
  readConfigWrite,
  readConfigWrites,
  type ConfigWritesQuery,
} from "../../shared/survival/config/write-rows.ts";
import { createAnswer } from "../http/answer.ts";
import { idField, limitField, uuidField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { createCommandRequest } from "../shard/order.ts";
import {
  configRouteOptions,
  toConfigRequest,
  findRouteServer,
  serverIdParams,
  pluginField,
} from "./config-fields.ts";

const ofWrite = {
  ...serverIdParams,
  writeId: uuidField.required().description("Id of the configuration write."),
};

export const configWritesRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalConfigWrites:
   *       type: object
   *       additionalProperties: false
   *       required: [writes]
   *       properties:
   *         writes: { type: array, items: { $ref: '#/components/schemas/SurvivalConfigWrite' } }
   *         next:
   *           type: integer
   *           description: 'Cursor for the next page: send it as `before`. Absent on the last page.'
   *           example: 411
   *     SurvivalConfigWrite:
   *       type: object
   *       additionalProperties: false
   *       required:
   *         [writeId, serverId, plugin, file, state, outcome, createdAt, createdBy, settleBy, settledAt,
   *          beforeHash, writtenHash, afterHash, message, logTail, rollbackOf, lateOutcome]
   *       properties:
   *         writeId: { type: string, format: uuid }
   *         serverId: { type: integer, example: 3 }
   *         plugin: { type: string, example: Kits }
   *         file: { type: string, example: oxide/config/Kits.json }
   *         state:
   *           type: string
   *           enum: [reloading, settled, lost]
   *           description: >-
   *             State of the write. `reloading`: the write was sent, and the game server has not
   *             reported the outcome yet. `settled`: the game server has reported the outcome.
   *             `lost`: the game server had reported no outcome by the time in `settleBy`, so the
   *             file may or may not have been written. A lost write stays lost.
   *         outcome:
   *           type: string
   *           nullable: true
   *           enum: [ok, failed, rolled-back, null]
   *           description: >-
   *             Outcome of the write. `ok`: the write succeeded. `rolled-back`: the plugin did not
   *             load the new file, and the game server restored the old file. `failed`: the write
   *             failed, and the game server did not restore the old file. Null unless `state` is
   *             `settled`.
   *         createdAt: { type: string, format: date-time }
   *         createdBy: { type: string, nullable: true, example: robin }
   *         settleBy:
   *           type: string
   *           format: date-time
   *           description: >-
   *             Time at which the write becomes `lost` if the game server has reported no outcome by
   *             then.
   *         settledAt: { type: string, format: date-time, nullable: true }
   *         beforeHash: { type: string, description: Hash of the file before the write. }
   *         writtenHash: { type: string, description: Hash of the file as it was written. }
   *         afterHash:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Hash of the file after the plugin was reloaded. Send this hash as `baseHash` of the
   *             next change. This hash may differ from `writtenHash`, because many plugins rewrite
   *             their file when they load it. Null if there is no outcome.
   *         message:
   *           type: string
   *           nullable: true
   *           example: Plugin could not be loaded
   *           description: >-
   *             Message of the game server about the outcome, with secrets masked. Null if there is
   *             no message.
   *         logTail:
   *           type: array
   *           items: { type: string }
   *           description: Last lines of the server's console, at most 200, with secrets masked.
   *           example: [Loaded plugin Kits v4.0.12]
   *         rollbackOf:
   *           type: string
   *           format: uuid
   *           nullable: true
   *           description: >-
   *             Id of the write that this write rolls back. Null if this write is not a rollback.
   *         lateOutcome:
   *           type: object
   *           nullable: true
   *           additionalProperties: false
   *           description: >-
   *             Outcome that the game server reported after the write had become `lost`. Null if
   *             the game server reported no outcome.
   *           required: [ok, at, message, logTail]
   *           properties:
   *             ok: { type: boolean }
   *             at: { type: string, format: date-time }
   *             message: { type: string, nullable: true }
   *             logTail: { type: array, items: { type: string } }
   */
  defineRoute({
    ...configRouteOptions,
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId/writes",
    summary: "List the configuration writes of a survival server",
    description:
      "Returns the configuration writes of the server, newest first. Writes that the game server " +
      "refused immediately are not listed. The operation also works while the server is offline.",
    params: Joi.object<{ serverId: number }, true>(serverIdParams),
    query: Joi.object<ConfigWritesQuery, true>({
      plugin: pluginField.description(
        "Name of a plugin. Returns only writes of this plugin's configuration.",
      ),
      before: idField.description(
        "Cursor for paging: the `next` of the previous page. Returns only older writes.",
      ),
      limit: limitField(limits.configWritePage),
    }),
    answers: { 200: "SurvivalConfigWrites", 404: "Error" },
    find: findRouteServer,
    handle: ({ found, query }, context) => readConfigWrites(found.server.id, query, context),
  }),
  defineRoute({
    ...configRouteOptions,
    set: "core",
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId/writes/:writeId",
    summary: "Get a configuration write",
    description:
      "Returns a configuration write with its outcome. Poll this operation after a change of a " +
      "configuration: the state of the write is `reloading` until the game server reports the " +
      "outcome. If the game server has not reported the outcome by the time in `settleBy`, the " +
      "state becomes `lost`. 404 `not_found` if the write is unknown or belongs to another " +
      "server.",
    params: Joi.object<{ serverId: number; writeId: string }, true>(ofWrite),
    answers: { 200: { enveloped: "write", shape: "SurvivalConfigWrite" }, 404: "Error" },
    find: findRouteServer,
    handle: async ({ found, params }, context) => ({
      write: await readConfigWrite(found.server.id, params.writeId, context),
    }),
  }),
  defineRoute({
    ...configRouteOptions,
    method: "post",
    path: "/api/v1/admin/survival/config/:serverId/writes/:writeId/rollback",
    summary: "Roll back a configuration write",
    description:
      "Restores the content that the file had before the write `writeId`, and reloads the " +
      "plugin. The rollback is a new write with its own id. To retry safely, send an " +
      "`Idempotency-Key`. The activity log records the request as `survival.config.rolled_back`. " +
      "409 `stale_revision` if the file has changed since the write. 409 `config_write_state` " +
      "while this write or another write of the file waits for its outcome, or if the file " +
      "already has the old content. The service stores the old contents only for the newest 20 " +
      "writes of a server: for older writes, the response is 409 `config_write_state`. 503 " +
      "`shard_unavailable` if the game server is offline.",
    params: Joi.object<{ serverId: number; writeId: string }, true>(ofWrite),
    takes: ["Idempotency-Key"],
    answers: {
      202: "SurvivalConfigAccepted",
      404: "Error",
      409: "SurvivalConfigConflict",
      502: "Error",
      503: "Error",
    },
    find: findRouteServer,
    handle: async (input, context) => {
      const order = createCommandRequest(input);
      const { writeId } = input.params;
      return createAnswer(
        202,
        await rollBackConfigWrite(writeId, toConfigRequest(input), order, context),
      );
    },
  }),
];
