import Joi from "joi";

import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import { longestBanSec, longestReason } from "../../shared/survival/calls/moderation-calls.ts";
import {
  banServerPlayer,
  kickServerPlayer,
  readServerBans,
  type ServerBan,
  type ServerKick,
  unbanServerPlayer,
} from "../../shared/survival/players/moderate-players.ts";
import { findServer } from "../../shared/survival/servers/read-servers.ts";
import type { ApiContext } from "../context.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { createCommandRequest, requestIdOf } from "../shard/order.ts";
import { steamIdParam as steamId } from "./fields.ts";

const common = {
  gate: "roles:admin,moderator",
  set: "additive",
  tag: "Survival staff",
  params: rowIdParams,
  find: ({ params }: { params: { id: number } }, context: ApiContext) =>
    findServer(params.id, context),
} as const;
const takes = ["Idempotency-Key"] as const;
const refusals = {
  403: "Error",
  404: "Error",
  409: "Error",
  429: "Error",
  502: "Error",
  503: "Error",
} as const;

const repeatable =
  "502 `shard_unsupported` if the server does not support the command. After any other 502, or a " +
  "503, the server may or may not have carried out the command: repeat the request with the same " +
  "`Idempotency-Key`.";
const ownAccount = "403 `own_account` if the Steam account is, or once was, linked to the caller.";

const reason = nameTextField(longestReason)
  .required()
  .description("Reason for the command, which the game shows to the player.");

export const survivalModerationRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalPlayerCommand:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/kick",
    summary: "Kick a player from a survival server",
    description:
      "Disconnects a player. The player may connect again immediately. The activity log records " +
      "the command as `survival.player.kicked`. 404 `unknown_to_shard` if the player is not " +
      `connected. ${repeatable}`,
    body: Joi.object<ServerKick, true>({ steamId, reason }).example({
      steamId: "76561198012345678",
      reason: "Language",
    }),
    takes,
    answers: { 200: "SurvivalPlayerCommand", ...refusals },
    handle: (input, context) =>
      kickServerPlayer(input.params.id, input.body, createCommandRequest(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalPlayerBanned:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, expiresAt, ownerSteamId]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         expiresAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the ban ends. Null for a permanent ban.
   *         ownerSteamId:
   *           type: string
   *           nullable: true
   *           example: '76561198000000001'
   *           description: >-
   *             SteamID64 of the account that owns the game, if the player uses a shared game. Rust
   *             bans this account, too. Null if the player owns the game, or if the server does not
   *             report the owner.
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/ban",
    summary: "Ban a player from a survival server",
    description:
      "Bans a player for a limited time or permanently. The player may be offline. The activity " +
      "log records the command as `survival.player.banned`. 409 `player_already_banned` if the " +
      `player is banned on this server. ${ownAccount} ${repeatable}`,
    body: Joi.object<ServerBan>({
      steamId,
      reason,
      durationSec: Joi.number()
        .integer()
        .min(1)
        .max(longestBanSec)
        .allow(null)
        .description("Length of the ban in seconds. If null or absent, the ban is permanent."),
    }).example({ steamId: "76561198012345678", reason: "Aimbot", durationSec: 86_400 }),
    takes,
    answers: { 200: "SurvivalPlayerBanned", ...refusals },
    handle: (input, context) =>
      banServerPlayer(input.params.id, input.body, createCommandRequest(input), context),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/survival/servers/:id/unban",
    summary: "Lift the ban of a player on a survival server",
    description:
      "Lifts the ban of a player. The activity log records the command as " +
      "`survival.player.unbanned`. 404 `unknown_to_shard` if the player is not banned. " +
      `${ownAccount} ${repeatable}`,
    body: Joi.object<Pick<ServerKick, "steamId">, true>({ steamId }),
    takes,
    answers: { 200: "SurvivalPlayerCommand", ...refusals },
    handle: (input, context) =>
      unbanServerPlayer(input.params.id, input.body, createCommandRequest(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalBan:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, name, reason, expiresAt]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string, example: Anna }
   *         reason: { type: string, example: Aimbot }
   *         expiresAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: When the ban ends. Null for a permanent ban.
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/servers/:id/bans",
    summary: "List the bans of a survival server",
    description:
      "Asks the game server for its bans. 502 `shard_unsupported` if the server cannot list " +
      "them. 503 `shard_unavailable` while the server cannot be reached.",
    answers: {
      200: { enveloped: "bans", shape: { listOf: "SurvivalBan" } },
      404: "Error",
      502: "Error",
      503: "Error",
    },
    handle: (input, context) => readServerBans(input.params.id, requestIdOf(input), context),
  }),
];
