import Joi from "joi";

import { controlAddress, socketAddress } from "../../shared/platform/bridge/socket/addresses.ts";
import { limits } from "../../shared/platform/limits.ts";
import { shardProtocols } from "../../shared/shard/calls/account-calls.ts";
import { type SignupMode, signupModes } from "../../shared/shard/calls/bridge-answers.ts";
import { changeSignupMode, readSignupMode } from "../../shared/shard/links/game-accounts.ts";
import {
  readSidecarLinkConfig,
  saveSidecarLinkConfig,
  type SidecarLinkChange,
} from "../../shared/shard/staff/sidecar-link-config.ts";
import { readRejectedFrames } from "../../shared/shard/streams/rejected.ts";
import { bearerTokenField, limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import {
  commandRefusals,
  shardCallRefusals,
  commandRefusalDescription,
} from "./command-refusals.ts";
import { createCommandRequest, requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Shard staff" } as const;

export const sidecarRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     ShardlinkConfig:
   *       type: object
   *       additionalProperties: false
   *       required: [kind, baseUrl, wsUrl, hasToken, statusHost, statusPort, hasKey, keyCreatedAt, keyLastUsedAt,
   *         plugin, protocol, enabled, status, reason, health, stats]
   *       properties:
   *         kind: { $ref: '#/components/schemas/ShardLinkKind' }
   *         baseUrl: { type: string, description: 'URL of the sidecar, without `/v1`.' }
   *         wsUrl: { type: string, description: URL of the sidecar's event stream. }
   *         hasToken:
   *           type: boolean
   *           description: Whether a token is stored. The token itself is never returned.
   *         statusHost:
   *           type: string
   *           description: Host to which the service sends the status packet. Empty if not set.
   *           example: play.example.org
   *         statusPort: { type: integer, description: Port of this host., example: 2593 }
   *         hasKey:
   *           type: boolean
   *           description: Whether the link has a valid plugin key. The key itself is never returned.
   *         keyCreatedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             When the newest valid plugin key was created. Null if no plugin key is valid.
   *         keyLastUsedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             When a plugin last called the site with a valid key. Null before the first call.
   *         plugin: { $ref: '#/components/schemas/LinkedPlugin' }
   *         protocol:
   *           type: integer
   *           description: >-
   *             Version of the bridge protocol for which the link is configured. Only for a link by a
   *             sidecar.
   *         enabled: { type: boolean }
   *         status: { $ref: '#/components/schemas/LinkStatus' }
   *         reason:
   *           type: string
   *           nullable: true
   *           description: Why the link is not connected. Null while the link is connected.
   *         health:
   *           description: >-
   *             Health report of the sidecar or the plugin or, if no report was sent, the error.
   *             Null for the kind `status`, and while the link is off or not configured.
   *           oneOf:
   *             - $ref: '#/components/schemas/SidecarHealth'
   *             - $ref: '#/components/schemas/SidecarSilence'
   *             - { type: object, nullable: true, enum: [null] }
   *         stats:
   *           type: object
   *           description: Counters of the ingest process since the link was first used.
   *           additionalProperties: false
   *           properties:
   *             received: { type: integer, description: Number of received events. }
   *             stored: { type: integer }
   *             duplicates: { type: integer, description: Number of events that were already stored. }
   *             rejected: { type: integer, description: Number of received frames that could not be stored as events. }
   *             gaps:
   *               type: integer
   *               description: >-
   *                 Number of gaps in the stream: ranges of events that the sidecar no longer had.
   *             cursor:
   *               type: object
   *               nullable: true
   *               description: Position of the last stored event. Null before the first event.
   *               properties:
   *                 epoch: { type: string, description: Id of the sidecar's event buffer. }
   *                 seq: { type: integer, description: Sequence number of the event in the buffer. }
   *             lastAckAt:
   *               type: string
   *               format: date-time
   *               nullable: true
   *               description: >-
   *                 When the ingest process last acknowledged stored events to the sidecar.
   *             owner:
   *               type: string
   *               nullable: true
   *               description: >-
   *                 Host and process id of the ingest process that owns the link. Null if no
   *                 process owns the link.
   *     ShardLinkKind:
   *       type: string
   *       enum: [sidecar, plugin, status]
   *       description: >-
   *         How the shard is linked. `sidecar`: the service connects to a sidecar. `plugin`: a plugin
   *         in the game calls the service. `status`: the service only sends the game's status packet,
   *         for which nothing has to be installed.
   *     LinkedPlugin:
   *       type: object
   *       nullable: true
   *       description: The plugin, as its last hello described it. Null before the first hello.
   *       additionalProperties: false
   *       required: [name, version]
   *       properties:
   *         name: { type: string, example: Guildhall for ServUO }
   *         version: { type: string, example: 1.0.0 }
   *     SidecarHealth:
   *       type: object
   *       required: [protocol, pluginConnected, bootId, uptimeSec, capabilities]
   *       properties:
   *         protocol:
   *           type: integer
   *           description: Version of the bridge protocol that the sidecar uses.
   *           example: 8
   *         pluginConnected:
   *           type: boolean
   *           description: Whether the game process is connected to the sidecar.
   *         bootId:
   *           type: string
   *           nullable: true
   *           description: Id of the running game process. Null if unknown.
   *         uptimeSec: { type: number }
   *         capabilities:
   *           type: array
   *           description: Names of the capabilities that the sidecar reports.
   *           items: { type: string, example: clilocs }
   *     SidecarSilence:
   *       type: object
   *       additionalProperties: false
   *       required: [error]
   *       properties:
   *         error: { type: string, example: The game server cannot be reached }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/config",
    summary: "Get the link to the shard",
    description:
      "Returns the configuration of the link without its token, the state of the link, and the " +
      "counters of the ingest process. For each request, the service asks the sidecar for its " +
      "health. If the sidecar does not respond within a few seconds, `health` contains the error.",
    answers: { 200: "ShardlinkConfig" },
    handle: (_input, context) => readSidecarLinkConfig(context),
  }),
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/admin/shardlink/config",
    summary: "Change the link to the shard",
    description:
      "Fields that the request does not contain keep their values. The ingest process " +
      "immediately connects again with the new configuration. 400 `validation_failed` if the " +
      "request contains fields of another `kind`, for example `baseUrl` for a link by a plugin. " +
      "400 `validation_failed` if the link is on but lacks what its `kind` needs: a sidecar " +
      "needs `baseUrl`, `wsUrl` and `token`, the status packet needs `statusHost`. A plugin " +
      "needs a key, which `POST /admin/shardlink/plugin-key` creates. The activity log records " +
      "the change as `shardlink.configured`, without the token.",
    confirms: true,
    body: Joi.object<SidecarLinkChange, true>({
      kind: Joi.string()
        .valid("sidecar", "plugin", "status")
        .description(
          "How the shard is linked. If the kind changes, the service revokes all plugin keys of " +
            "the link and deletes its URLs, host and token.",
        ),
      baseUrl: controlAddress
        .allow("")
        .description("`http` or `https` URL of the sidecar, without `/v1`."),
      wsUrl: socketAddress
        .allow("")
        .description("`ws` or `wss` URL of the sidecar's event stream."),
      token: bearerTokenField.description(
        "Bearer token with which the site signs in to the sidecar. An empty string keeps the " +
          "stored token.",
      ),
      protocol: Joi.number()
        .valid(...shardProtocols)
        .description("Version of the bridge protocol that the sidecar uses."),
      statusHost: Joi.string()
        .hostname()
        .pattern(/^[!-~]*$/, "ASCII")
        .max(253)
        .allow("")
        .description(
          "Host name of the game server to which the service sends the status packet. Only for " +
            "the kind `status`.",
        )
        .example("play.example.org"),
      statusPort: Joi.number()
        .port()
        .description(
          "Port on which the game server accepts players. Only for the kind `status`. Default: " +
            "2593.",
        ),
      enabled: Joi.boolean().description("Whether the link is turned on."),
    }).example({ baseUrl: "https://shard.example.org:8443", enabled: true }),
    answers: { 200: "ShardlinkConfig" },
    handle: ({ body, caller }, context) => saveSidecarLinkConfig(body, caller, context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     RejectedFrame:
   *       type: object
   *       additionalProperties: false
   *       required: [id, at, reason, detail, kind, excerpt]
   *       properties:
   *         id: { type: integer }
   *         at: { type: string, format: date-time }
   *         reason:
   *           type: string
   *           description: >-
   *             Why the frame was rejected: a code such as `json`, `size`, `kind` or `schema`.
   *         detail:
   *           type: string
   *           nullable: true
   *           description: Description of the fault in the frame. Null if there is no description.
   *         kind:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Event kind that the frame contains. Null if the frame contains no event kind.
   *         excerpt: { type: string, description: 'First part of the frame''s text, with secrets masked.' }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/rejected",
    set: "additive",
    summary: "List the rejected frames of the shard",
    description:
      "Returns frames of the shard's stream that could not be stored as events, newest first. " +
      "The service keeps the newest 1,000 rejected frames.",
    query: Joi.object<{ limit: number }, true>({
      limit: limitField(limits.rejectedFrames),
    }),
    answers: { 200: { enveloped: "frames", shape: { listOf: "RejectedFrame" } } },
    handle: async ({ query }, context) => ({
      frames: await readRejectedFrames(query.limit, context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SignupModes:
   *       type: object
   *       additionalProperties: false
   *       required: [mode, modes]
   *       properties:
   *         mode: { $ref: '#/components/schemas/SignupModeName' }
   *         modes: { type: array, items: { $ref: '#/components/schemas/SignupModeName' } }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/signup-mode",
    summary: "Get the sign-up mode of the shard",
    description:
      "Returns the current mode and the modes that the shard supports. The service asks the " +
      "shard for the modes: 503 `shard_unavailable` while the shard cannot be reached.",
    answers: { 200: "SignupModes", ...shardCallRefusals },
    handle: (input, context) => readSignupMode(requestIdOf(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SignupMode:
   *       type: object
   *       additionalProperties: false
   *       required: [mode]
   *       properties:
   *         mode: { $ref: '#/components/schemas/SignupModeName' }
   */
  defineRoute({
    ...common,
    method: "put",
    path: "/api/v1/admin/shardlink/signup-mode",
    summary: "Change the sign-up mode of the shard",
    description:
      "Changes where new game accounts of the shard can be created. The activity log records the " +
      `command as \`shard.signup_mode\`. ${commandRefusalDescription}`,
    body: Joi.object<{ mode: SignupMode }, true>({
      mode: Joi.string<SignupMode>()
        .valid(...signupModes)
        .required()
        .description(
          "New sign-up mode. With `website` or `hybrid`, users can create game accounts on the " +
            "site.",
        ),
    }),
    takes: ["Idempotency-Key"],
    answers: { 200: "SignupMode", ...commandRefusals },
    handle: (input, context) => changeSignupMode(input.body, createCommandRequest(input), context),
  }),
];
