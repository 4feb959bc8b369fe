import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { listConfigFiles, readMaskedConfig } from "../../shared/survival/config/plugin-files.ts";
import { type ConfigChange, writeConfigFile } from "../../shared/survival/config/write-file.ts";
import { createAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { createCommandRequest } from "../shard/order.ts";
import {
  configRouteOptions,
  toConfigRequest,
  findRouteServer,
  serverIdParams,
  pluginField,
} from "./config-fields.ts";

const ofFile = { ...serverIdParams, plugin: pluginField.required() };

export const configRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalConfigFiles:
   *       type: object
   *       additionalProperties: false
   *       required: [files, online]
   *       properties:
   *         files: { type: array, items: { $ref: '#/components/schemas/SurvivalConfigFile' } }
   *         online:
   *           type: boolean
   *           description: Whether the server is online. If false, `files` is empty.
   *     SurvivalConfigFile:
   *       type: object
   *       additionalProperties: false
   *       required: [plugin, file, loaded, version, bytes, hash, modifiedAt, editable, problem]
   *       properties:
   *         plugin: { type: string, example: Kits }
   *         file:
   *           type: string
   *           example: oxide/config/Kits.json
   *           description: Path of the file on the game server.
   *         loaded: { type: boolean, description: Whether the game server has loaded the plugin. }
   *         version: { type: string, nullable: true, example: 4.0.12 }
   *         bytes: { type: integer, example: 2214 }
   *         hash: { type: string, description: 'SHA-256 of the file, in hexadecimal.' }
   *         modifiedAt: { type: string, format: date-time, nullable: true }
   *         editable: { type: boolean, description: Whether the site can change the file. }
   *         problem:
   *           type: string
   *           nullable: true
   *           enum: [too-large, unreadable, protected, null]
   *           description: >-
   *             Why the site cannot change the file. `too-large`: the file is larger than 1 MiB.
   *             `unreadable`: the game server cannot read the file, or the site does not support the
   *             file's name. `protected`: the game server protects the file. Null if `editable` is
   *             true.
   */
  defineRoute({
    ...configRouteOptions,
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId",
    summary: "List the plugin configurations of a survival server",
    description:
      "Asks the game server for the configuration files of its plugins and returns the list. If " +
      "the server is offline or disabled, `files` is empty and `online` is false. 404 " +
      "`not_found` if the server is unknown. 502 `shard_unsupported` if the server's bridge " +
      "plugin does not support editing configurations.",
    params: Joi.object<{ serverId: number }, true>(serverIdParams),
    answers: { 200: "SurvivalConfigFiles", 404: "Error", 502: "Error" },
    find: findRouteServer,
    handle: (input, context) => listConfigFiles(toConfigRequest(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalConfigDocument:
   *       type: object
   *       additionalProperties: false
   *       required: [plugin, file, text, hash, readAt, loaded, secretsMasked]
   *       properties:
   *         plugin: { type: string, example: Kits }
   *         file: { type: string, example: oxide/config/Kits.json }
   *         text:
   *           type: string
   *           description: >-
   *             Content of the file. The mask `********` replaces each secret value; `********#` and
   *             a number replaces each secret key or comment. All other bytes are unchanged.
   *           example: '{ "Api key": "********", "Cooldown": 30 }'
   *         hash:
   *           type: string
   *           description: >-
   *             SHA-256 of the file as it is on the game server, including its secrets. Send this
   *             hash as `baseHash` with a change.
   *         readAt:
   *           type: string
   *           format: date-time
   *           description: When the file was read from the game server.
   *         loaded: { type: boolean, description: Whether the game server has loaded the plugin. }
   *         secretsMasked:
   *           type: array
   *           items: { type: string }
   *           description: JSON pointers to the values and keys that are masked.
   *           example: [/Api key]
   */
  defineRoute({
    ...configRouteOptions,
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId/files/:plugin",
    summary: "Get a plugin's configuration with secrets masked",
    description:
      "Reads the file from the game server and replaces its secrets with masks. All other bytes " +
      "of the file stay the same. The following parts count as secrets:\n\n- strings and numbers " +
      "below a key that names a secret (such as `key`, `token`, `password` or `webhook`), at any " +
      "depth\n- a " +
      'value whose neighbor names it as a secret, such as `{"name": "token", "value": "…"}` or ' +
      "the value after a command-line option\n- values and keys that look like a secret, such as " +
      "a webhook URL or a JWT\n- repetitions of a secret in other parts of the file\n- comments " +
      "that name a secret or are next to one\n\nThe JSON may contain comments, trailing commas " +
      "and `NaN`. 409 `config_unreadable` if the file is larger than 1 MiB, not UTF-8, not JSON " +
      "or contains a key twice. 404 if the server or the plugin is unknown. 503 " +
      "`shard_unavailable` if the game server is offline.",
    params: Joi.object<{ serverId: number; plugin: string }, true>(ofFile),
    answers: {
      200: { enveloped: "document", shape: "SurvivalConfigDocument" },
      404: "Error",
      409: "SurvivalConfigFault",
      502: "Error",
      503: "Error",
    },
    find: findRouteServer,
    handle: async (input, context) => ({
      document: await readMaskedConfig(input.params.plugin, toConfigRequest(input), context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalConfigFault:
   *       type: object
   *       required: [error]
   *       properties:
   *         error: { type: string, example: The text is not JSON that a plugin can read }
   *         errors: { type: array, items: { $ref: '#/components/schemas/Fault' } }
   *         line:
   *           type: integer
   *           description: >-
   *             Number of the line on which the text stops being valid JSON, counted from 1.
   *         column: { type: integer, description: 'Column in this line, counted from 1.' }
   *     SurvivalConfigConflict:
   *       type: object
   *       required: [error]
   *       properties:
   *         error: { type: string, example: 'The file has changed since you read it: read it again' }
   *         currentHash:
   *           type: string
   *           description: >-
   *             Hash of the file that is on the game server now. Absent if the request was refused
   *             for a reason that has nothing to do with the file's content.
   *     SurvivalConfigAccepted:
   *       type: object
   *       additionalProperties: false
   *       required: [writeId, state, settleBy]
   *       properties:
   *         writeId:
   *           type: string
   *           format: uuid
   *           description: Id of the write, with which the client can read the outcome.
   *         state: { type: string, enum: [reloading, settled, lost] }
   *         settleBy:
   *           type: string
   *           format: date-time
   *           description: >-
   *             Time at which the write becomes `lost` if the game server has reported no outcome
   *             by then.
   */
  defineRoute({
    ...configRouteOptions,
    method: "put",
    path: "/api/v1/admin/survival/config/:serverId/files/:plugin",
    summary: "Change a plugin's configuration",
    description:
      "The game server replaces the file and, unless `reload` is false, reloads the plugin. If " +
      "the plugin does not load the new file, the game server restores the old file. 202 means " +
      "that the service has sent the write, even if the game server's response was lost. To " +
      "learn the outcome, use `GET /admin/survival/config/{serverId}/writes/{writeId}`. To retry " +
      "safely, send an `Idempotency-Key`. The activity log records the request as " +
      "`survival.config.written`.\n\nWhere `text` contains a mask, the file keeps the secret " +
      "that it has at the same position. 400 `validation_failed` if the file has no secret at " +
      "the position of a mask, if the change would make a secret visible, or if the text " +
      "contains a key twice. 400 `config_not_json` if the text is not JSON. 409 `stale_revision` " +
      "with `currentHash` if the file has changed since `baseHash` was read. 409 " +
      "`config_write_state` while another write of the file waits for its outcome. 409 " +
      "`config_unreadable` if the file is larger than 1 MiB or not UTF-8. 403 `protected_target` " +
      "if the game server protects the file. 413 `body_too_large` if the text is larger than 1 " +
      "MiB in UTF-8, or the body is larger than 2 MiB. 503 `shard_unavailable` if the game " +
      "server is offline.",
    params: Joi.object<{ serverId: number; plugin: string }, true>(ofFile),
    body: Joi.object<ConfigChange>({
      text: Joi.string()
        .allow("")
        .required()
        .description(
          "New content of the file. Where the text contains a mask, the file keeps its secret.",
        ),
      baseHash: Joi.string()
        .max(128)
        .required()
        .description(
          "`hash` of the file on which the change is based, as `GET " +
            "/admin/survival/config/{serverId}/files/{plugin}` returns it.",
        ),
      reload: Joi.boolean()
        .default(true)
        .description("Whether the game server reloads the plugin after the change. Default: true."),
    }).example({
      text: '{ "Api key": "********", "Cooldown": 60 }',
      baseHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }),
    basedOn: { when: "always", field: "baseHash", isOwn: true },
    bodyBytes: limits.configBodyBytes,
    takes: ["Idempotency-Key"],
    answers: {
      202: "SurvivalConfigAccepted",
      400: "SurvivalConfigFault",
      404: "Error",
      409: "SurvivalConfigConflict",
      502: "Error",
      503: "Error",
    },
    find: findRouteServer,
    handle: async (input, context) => {
      const { plugin } = input.params;
      const order = createCommandRequest(input);
      const change = { ...input.body, plugin };
      return createAnswer(
        202,
        await writeConfigFile(change, toConfigRequest(input), order, context),
      );
    },
  }),
];
