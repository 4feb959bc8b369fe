import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { rollBack } from "../../shared/survival/config/roll-back.ts";
import {
  readWrite,
  readWrites,
  type WritesQuery,
} from "../../shared/survival/config/write-rows.ts";
import { answer } from "../http/answer.ts";
import { idField, limitField, uuidField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { orderOf } from "../shard/order.ts";
import { common, configsOf, findItsServer, ofServer, pluginField } from "./config-fields.ts";

const ofWrite = {
  ...ofServer,
  writeId: uuidField.required().description("Id of the configuration write."),
};

/** Writes of the plugins' configurations. */
export const configWritesRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId/writes",
    summary: "List the configuration writes of a survival server",
    description:
      "Returns the configuration writes of the server, newest first. Writes that the game server " +
      "refused immediately are not listed. The operation also works while the server is offline.",
    params: Joi.object<{ serverId: number }, true>(ofServer),
    query: Joi.object<WritesQuery, true>({
      plugin: pluginField.description(
        "Name of a plugin. Returns only writes of this plugin's configuration.",
      ),
      before: idField.description(
        "Cursor for paging: the `next` of the previous page. Returns only older writes.",
      ),
      limit: limitField(limits.configWritePage),
    }),
    answers: { 200: "SurvivalConfigWrites", 404: "Error" },
    find: findItsServer,
    handle: ({ found, query }, context) => readWrites(found.server.id, query, context),
  }),
  route({
    ...common,
    set: "core",
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId/writes/:writeId",
    summary: "Get a configuration write",
    description:
      "Returns a configuration write with its outcome. Poll this operation after a change of a " +
      "configuration: the state of the write is `reloading` until the game server reports the " +
      "outcome. If the server has not reported it by the time in `settleBy`, the state becomes " +
      "`lost`. 404 `not_found` if the write is unknown or belongs to another server.",
    params: Joi.object<{ serverId: number; writeId: string }, true>(ofWrite),
    answers: { 200: { enveloped: "write", shape: "SurvivalConfigWrite" }, 404: "Error" },
    find: findItsServer,
    handle: async ({ found, params }, context) => ({
      write: await readWrite(found.server.id, params.writeId, context),
    }),
  }),
  route({
    ...common,
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
    find: findItsServer,
    handle: async (input, context) => {
      const order = orderOf(input);
      const { writeId } = input.params;
      return answer(202, await rollBack(writeId, configsOf(input), order, context));
    },
  }),
];
