import Joi from "joi";

import { controlAddress, socketAddress } from "../../shared/platform/bridge/socket/addresses.ts";
import { limits } from "../../shared/platform/limits.ts";
import { type SignupMode, signupModes } from "../../shared/shard/calls/bridge-answers.ts";
import { shardProtocols } from "../../shared/shard/calls/bridge-calls.ts";
import {
  readSidecarLinkConfig,
  saveSidecarLinkConfig,
  type SidecarLinkChange,
} from "../../shared/shard/staff/sidecar-link-config.ts";
import { changeSignupMode, readSignupMode } from "../../shared/shard/staff/signup-mode.ts";
import { readRejectedFrames } from "../../shared/shard/streams/rejected.ts";
import { bearerTokenField, limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { commandRefusals, refusals, refusedCommand } from "./command-refusals.ts";
import { orderOf, requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Shard staff" } as const;

/** The link to the shard, and how the shard takes sign-ups. */
export const sidecarRoutes = [
  route({
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
  route({
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
  route({
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
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shardlink/signup-mode",
    summary: "Get the sign-up mode of the shard",
    description:
      "Returns the current mode and the modes that the shard supports. The service asks the " +
      "shard for them: 503 `shard_unavailable` while the shard cannot be reached.",
    answers: { 200: "SignupModes", ...refusals },
    handle: (input, context) => readSignupMode(requestIdOf(input), context),
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/shardlink/signup-mode",
    summary: "Change the sign-up mode of the shard",
    description:
      "Changes where new game accounts of the shard can be created. The activity log records the " +
      `command as \`shard.signup_mode\`. ${refusedCommand}`,
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
    handle: (input, context) => changeSignupMode(input.body, orderOf(input), context),
  }),
];
