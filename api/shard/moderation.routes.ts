import Joi from "joi";

import { serialField } from "../../shared/platform/bridge/serial.ts";
import { limits } from "../../shared/platform/limits.ts";
import { requireVisibleText } from "../../shared/platform/texts/visible-text.ts";
import {
  closeHelpPage,
  type HelpPageResponse,
  readHelpPages,
  respondToHelpPage,
} from "../../shared/shard/staff/help-pages.ts";
import {
  type BanRequest,
  banAccount,
  type BroadcastRequest,
  sendBroadcast,
  kickPlayer,
  type PlayerTarget,
  unbanAccount,
} from "../../shared/shard/staff/moderation.ts";
import { readAudit } from "../../shared/shard/streams/audit.ts";
import { limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { accountField, shardIdParam } from "./fields.ts";
import { createCommandRequest, requestIdOf } from "./order.ts";

const common = { gate: "roles:admin,moderator", set: "core", tag: "Shard staff" } as const;
const takes = ["Idempotency-Key"] as const;
const refusals = {
  403: "Error",
  404: "Error",
  409: "Error",
  429: "Error",
  502: "Error",
  503: "Error",
};
const repeatable =
  "After a 502 or 503, the shard may or may not have carried out the command: repeat the request " +
  "with the same `Idempotency-Key`.";
const refusedPlayer =
  "403 `protected_target` for an account of the game's staff, 403 `write_plane_disabled` while " +
  "the shard does not accept changes from the site, 404 `unknown_to_shard` if the account or " +
  "character is unknown.";

const target = { account: accountField(), serial: serialField() };
const oneOfBoth = { "object.missing": "account or serial is required" };

/** The game stores seconds in 31 bits, about 68 years. */
const longestBanSec = 2 ** 31 - 1;

export const moderationRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     Kicked:
   *       type: object
   *       additionalProperties: false
   *       required: [ok]
   *       properties:
   *         ok: { type: boolean }
   *         account:
   *           type: string
   *           description: >-
   *             Name of the game account. Absent for moderators, unless they sent the name in the
   *             request.
   *         kicked: { type: integer, description: Number of characters that the shard disconnected. }
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/kick",
    summary: "Kick a player out of the game",
    description:
      "Disconnects all characters of a game account. The player may connect again immediately. " +
      "Identify the account by its name (`account`), by the serial of one of its characters " +
      "(`serial`), or by both. The activity log records the command as `shard.kick`. " +
      `${refusedPlayer} ${repeatable}`,
    body: Joi.object<PlayerTarget>(target)
      .or("account", "serial")
      .messages(oneOfBoth)
      .example({ account: "maple" }),
    takes,
    answers: { 200: "Kicked", ...refusals },
    handle: (input, context) => kickPlayer(input.body, createCommandRequest(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     Banned:
   *       type: object
   *       additionalProperties: false
   *       required: [ok]
   *       properties:
   *         ok: { type: boolean }
   *         account:
   *           type: string
   *           description: >-
   *             Name of the game account. Absent for moderators, unless they sent the name in the
   *             request.
   *         until:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: End of the ban. Null for a permanent ban.
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/ban",
    summary: "Ban a game account",
    description:
      "Bans a game account for a limited time or permanently, and stores the ban. The player may " +
      "appeal against the ban. Identify the account by its name (`account`), by the serial of " +
      "one of its characters (`serial`), or by both. The activity log records the command as " +
      "`shard.ban`. 403 `own_account` if the account is linked to the caller; this also applies " +
      `to administrators. ${refusedPlayer} ${repeatable}`,
    body: Joi.object<BanRequest>({
      ...target,
      durationSec: Joi.number()
        .integer()
        .min(0)
        .max(longestBanSec)
        .description("Length of the ban in seconds. If 0 or absent, the ban is permanent."),
      reason: Joi.string()
        .allow("")
        .max(limits.banReason)
        .description(
          "Reason for the ban, which the game shows to the player. While the setting " +
            "`appeals_enabled` is on, the service appends the number of the ban and the URL for " +
            `appeals. If the whole text is then longer than ${limits.banReason} characters, the ` +
            "service shortens the reason.",
        ),
    })
      .or("account", "serial")
      .messages(oneOfBoth)
      .example({ account: "maple", durationSec: 86_400, reason: "Speed hack" }),
    takes,
    answers: { 200: "Banned", ...refusals },
    handle: (input, context) => banAccount(input.body, createCommandRequest(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     Unbanned:
   *       type: object
   *       additionalProperties: false
   *       required: [ok]
   *       properties:
   *         ok: { type: boolean }
   *         account:
   *           type: string
   *           description: >-
   *             Name of the game account. Absent for moderators, unless they sent the name in the
   *             request.
   *         wasBanned: { type: boolean, description: Whether the account was banned before. }
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/unban",
    summary: "Lift the ban of a game account",
    description:
      "Lifts the ban of the game account on the shard and ends the ban that the site has stored. " +
      "If the account was not banned, `wasBanned` is false. The activity log records the command " +
      "as `shard.unban`. 403 `own_account` if the account is linked to the caller; this also " +
      `applies to administrators. ${refusedPlayer} ` +
      repeatable,
    body: Joi.object<{ account: string }, true>({ account: accountField().required() }),
    takes,
    answers: { 200: "Unbanned", ...refusals },
    handle: (input, context) => unbanAccount(input.body, createCommandRequest(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     BroadcastDone:
   *       type: object
   *       additionalProperties: false
   *       required: [ok]
   *       properties:
   *         ok: { type: boolean }
   *         recipients: { type: integer, description: 'Number of characters in the game, to which the message was shown.' }
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/broadcast",
    summary: "Broadcast a message in the game",
    description:
      "Shows the text to all players in the game. The activity log records the command as " +
      "`shard.broadcast`. 403 `write_plane_disabled` while the shard does not accept changes " +
      "from the site. " +
      repeatable,
    body: Joi.object<BroadcastRequest>({
      text: requireVisibleText(Joi.string().max(256)).required(),
      hue: Joi.number()
        .integer()
        .min(0)
        .max(3000)
        .description("Color number (hue) of the text in the game."),
    }),
    takes,
    answers: { 200: "BroadcastDone", ...refusals },
    handle: (input, context) => sendBroadcast(input.body, createCommandRequest(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     HelpPage:
   *       type: object
   *       additionalProperties: false
   *       required: [id, type, sender, message, location, sentAt, handler, responses]
   *       properties:
   *         id: { type: string }
   *         type: { type: string, example: Stuck }
   *         sender:
   *           type: object
   *           additionalProperties: false
   *           required: [serial, name]
   *           properties:
   *             serial: { type: string }
   *             name: { type: string }
   *         message: { type: string }
   *         location: { $ref: '#/components/schemas/Place' }
   *         sentAt: { type: string, format: date-time, nullable: true }
   *         handler: { $ref: '#/components/schemas/Someone' }
   *         responses:
   *           type: array
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [by, message, at]
   *             properties:
   *               by: { $ref: '#/components/schemas/Someone' }
   *               message: { type: string }
   *               at: { type: string, format: date-time, nullable: true }
   *     Someone:
   *       description: >-
   *         A person, as a name or as a character. Null if the shard does not report a person.
   *       oneOf:
   *         - { type: string, nullable: true }
   *         - $ref: '#/components/schemas/SomeCharacter'
   *     SomeCharacter:
   *       type: object
   *       additionalProperties: false
   *       properties:
   *         serial: { type: string, nullable: true }
   *         name: { type: string, nullable: true }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/shard/pages",
    summary: "List the open help pages",
    description:
      "Returns the help pages (calls for help) that players have opened and staff have not " +
      "closed. `sender` is the player's character, never the game account. The service asks the " +
      "shard for the list: 503 `shard_unavailable` while the shard cannot be reached.",
    answers: { 200: { listOf: "HelpPage" }, 502: "Error", 503: "Error" },
    handle: (input, context) => readHelpPages(requestIdOf(input), context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     PageDone:
   *       type: object
   *       additionalProperties: false
   *       required: [ok, id]
   *       properties:
   *         ok: { type: boolean }
   *         id: { type: string }
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/pages/:id/respond",
    summary: "Answer a help page",
    description:
      "Sends the message to the player in the game. The activity log records the command as " +
      "`shard.page.respond`, without the message. 404 `unknown_to_shard` if the help page is no " +
      `longer open. ${repeatable}`,
    params: shardIdParam,
    body: Joi.object<HelpPageResponse>({
      message: requireVisibleText(Joi.string().max(1024)).required(),
      close: Joi.boolean().description("Whether to close the help page as well. Default: false."),
    }),
    takes,
    answers: { 200: "PageDone", ...refusals },
    handle: (input, context) =>
      respondToHelpPage(input.params.id, input.body, createCommandRequest(input), context),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/pages/:id/close",
    summary: "Close a help page",
    description:
      "Closes the help page without a message to the player. The activity log records the " +
      "command as `shard.page.close`. 404 `unknown_to_shard` if the help page is no longer open. " +
      repeatable,
    params: shardIdParam,
    takes,
    answers: { 200: "PageDone", ...refusals },
    handle: (input, context) =>
      closeHelpPage(input.params.id, createCommandRequest(input), context),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/shard/audit",
    summary: "List what staff did in the game",
    description:
      "Returns the `admin.audit` events of the shard, newest first. These events record what the " +
      "game's staff did in the game. Moderators do not receive the game accounts of staff, or " +
      "fields that the service does not know. The service deletes these events after a year (by " +
      "default).",
    query: Joi.object<{ limit: number }, true>({ limit: limitField(limits.auditEvents) }),
    answers: { 200: { listOf: "StoredAdminAuditEvent" } },
    handle: ({ query, caller }, context) =>
      readAudit({ limit: query.limit, isAdmin: caller.role === "admin" }, context),
  }),
];
