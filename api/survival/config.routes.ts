import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { pluginNamePattern } from "../../shared/survival/config/plugin-file.ts";
import { listFiles, readDocument } from "../../shared/survival/config/read-files.ts";
import { rollBack } from "../../shared/survival/config/roll-back.ts";
import { type ConfigChange, writeFile } from "../../shared/survival/config/write-file.ts";
import {
  readWrite,
  readWrites,
  type WritesQuery,
} from "../../shared/survival/config/write-rows.ts";
import { findServer, type ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { idField, idParam, limitField, uuidField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { orderOf, requestIdOf } from "../shard/order.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Survival staff" } as const;

const pluginField = Joi.string()
  .pattern(pluginNamePattern)
  .messages({
    "string.pattern.base": "{{#label}} must be at most 64 letters, digits and low lines",
  })
  .description("Its name, as the list of files has it.");

const ofServer = { serverId: idParam };
const ofFile = { ...ofServer, plugin: pluginField.required() };
const ofWrite = {
  ...ofServer,
  writeId: uuidField.required().description("As the write was answered."),
};

interface ByServer {
  readonly params: { readonly serverId: number };
}

const findIt = ({ params }: ByServer, context: ApiContext) => findServer(params.serverId, context);

type Asked = Parameters<typeof requestIdOf>[0] & { readonly found: ServerRecord };

const configsOf = (asked: Asked) => ({ ...asked.found, requestId: requestIdOf(asked) });

/** Configurations of the plugins of survival servers. */
export const configRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId",
    summary: "The plugins of a survival server that have a configuration",
    params: Joi.object<{ serverId: number }, true>(ofServer),
    answers: { 200: "SurvivalConfigFiles", 404: "Error", 502: "Error" },
    find: findIt,
    handle: (input, context) => listFiles(configsOf(input), context),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId/files/:plugin",
    summary: "A plugin's configuration, secrets masked",
    description:
      "Masked are texts and numbers below a key that names a secret (`key`, `token`, `secret`, " +
      "`password`, `webhook`, `connection string` and the like, anywhere in it), at any depth; a value " +
      "beside a text that names it so (`name` and `value`, an option of a command line); what has " +
      "a secret's form under any key, such as a webhook's address, an address with a password or a " +
      "`token=`, a JWT; what repeats one of these; and comments beside one. Every other byte stays. 409 " +
      "for a file that cannot be shown: larger than 1 MiB, no UTF-8, no JSON, or with a key twice, of " +
      "which nobody can tell what is secret. Comments, trailing commas and `NaN` are taken, as plugins " +
      "take them.",
    params: Joi.object<{ serverId: number; plugin: string }, true>(ofFile),
    answers: {
      200: { enveloped: "document", shape: "SurvivalConfigDocument" },
      404: "Error",
      409: "SurvivalConfigFault",
      502: "Error",
      503: "Error",
    },
    find: findIt,
    handle: async (input, context) => ({
      document: await readDocument(input.params.plugin, configsOf(input), context),
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
   *         error: { type: string, example: The text is no JSON that a plugin could read }
   *         errors: { type: array, items: { $ref: '#/components/schemas/Fault' } }
   *         line: { type: integer, description: 'Of a text that is no JSON, counted from 1.' }
   *         column: { type: integer, description: 'Likewise.' }
   *     SurvivalConfigConflict:
   *       type: object
   *       required: [error]
   *       properties:
   *         error: { type: string, example: 'The file was changed since it was read: read it again' }
   *         currentHash: { type: string, description: Of the file as it stands now. }
   *     SurvivalConfigAccepted:
   *       type: object
   *       additionalProperties: false
   *       required: [writeId, state, settleBy]
   *       properties:
   *         writeId: { type: string, format: uuid }
   *         state: { type: string, enum: [reloading, settled, lost] }
   *         settleBy:
   *           type: string
   *           format: date-time
   *           description: What the plugin has not told by then is lost.
   */
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/config/:serverId/files/:plugin",
    summary: "Change a plugin's configuration",
    description:
      "The game server writes the file and has its plugin load it; where that fails it writes the " +
      "former text again. How it went is read from the write. A mask stands for the secret that is in " +
      "the file; one for which there is none, or whose secret would be shown in the new place, is " +
      "refused, and so is a key that is written twice. While a write of the file waits for its " +
      "outcome there is no other: 409. 409 too where the file is not the one of `baseHash`. The text " +
      "has at most 1 MiB in UTF-8, the whole body 2 MiB.",
    params: Joi.object<{ serverId: number; plugin: string }, true>(ofFile),
    body: Joi.object<ConfigChange>({
      text: Joi.string().allow("").required(),
      baseHash: Joi.string()
        .max(128)
        .required()
        .description("The `hash` of the document that was changed."),
      reload: Joi.boolean().default(true).description("Whether the plugin loads it now."),
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
    find: findIt,
    handle: async (input, context) => {
      const { plugin } = input.params;
      const order = orderOf(input);
      const change = { ...input.body, plugin };
      return answer(202, await writeFile(change, configsOf(input), order, context));
    },
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId/writes",
    summary: "Writes of a survival server's configurations, newest first",
    params: Joi.object<{ serverId: number }, true>(ofServer),
    query: Joi.object<WritesQuery, true>({
      plugin: pluginField.description("Of this plugin alone."),
      before: idField.description("Those older than `next` of the page before."),
      limit: limitField(limits.configWritePage),
    }),
    answers: { 200: "SurvivalConfigWrites", 404: "Error" },
    find: findIt,
    handle: ({ found, query }, context) => readWrites(found.server.id, query, context),
  }),
  route({
    ...common,
    set: "core",
    method: "get",
    path: "/api/v1/admin/survival/config/:serverId/writes/:writeId",
    summary: "How a configuration write stands",
    params: Joi.object<{ serverId: number; writeId: string }, true>(ofWrite),
    answers: { 200: { enveloped: "write", shape: "SurvivalConfigWrite" }, 404: "Error" },
    find: findIt,
    handle: async ({ found, params }, context) => ({
      write: await readWrite(found.server.id, params.writeId, context),
    }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/config/:serverId/writes/:writeId/rollback",
    summary: "Write what stood in the file before a write",
    description:
      "It is a write of its own, and its plugin loads it. 409 where the file was changed since, while " +
      "the write waits for its outcome, and for all but the newest 20 writes of a server, whose " +
      "former texts are kept no longer.",
    params: Joi.object<{ serverId: number; writeId: string }, true>(ofWrite),
    takes: ["Idempotency-Key"],
    answers: {
      202: "SurvivalConfigAccepted",
      404: "Error",
      409: "SurvivalConfigConflict",
      502: "Error",
      503: "Error",
    },
    find: findIt,
    handle: async (input, context) => {
      const order = orderOf(input);
      const { writeId } = input.params;
      return answer(202, await rollBack(writeId, configsOf(input), order, context));
    },
  }),
];
