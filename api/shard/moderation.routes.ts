import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import {
  closeHelpPage,
  type PageResponse,
  readHelpPages,
  respondToHelpPage,
} from "../../shared/shard/staff/help-pages.ts";
import {
  type Ban,
  banAccount,
  type Broadcast,
  broadcastText,
  kickPlayer,
  unbanAccount,
} from "../../shared/shard/staff/moderation.ts";
import type { Target } from "../../shared/shard/staff/own-accounts.ts";
import { readAudit } from "../../shared/shard/streams/audit.ts";
import { serial } from "../../shared/shard/values/serial.ts";
import { visibleText } from "../../shared/visible-text.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { accountField, shardIdParam } from "./fields.ts";
import { orderOf, requestIdOf } from "./order.ts";

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
  "With an `Idempotency-Key` it may be sent again: it is carried out once, and another request under the same key is 409.";

const target = { account: accountField(), serial: serial() };
const oneOfBoth = { "object.missing": "account or serial is required" };

/** The game counts seconds in 31 bits: some 68 years. */
const longestBanSec = 2 ** 31 - 1;

/** Acting in the game in the name of the session, and what was done there. */
export const moderationRoutes = [
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/kick",
    summary: "Kick a player out of the world",
    description: `By account, serial or both. Accounts of staff are protected. ${repeatable}`,
    body: Joi.object<Target>(target)
      .or("account", "serial")
      .messages(oneOfBoth)
      .example({ account: "maple" }),
    takes,
    answers: { 200: "Kicked", ...refusals },
    handle: (input, context) => kickPlayer(input.body, orderOf(input), context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/ban",
    summary: "Ban a game account",
    description: `By account, serial or both. Accounts of staff are protected. 403 \`own_account\` for an account that the caller has linked, administrators included. While appeals are open, the reason that the player reads ends with the number of the ban and where to appeal. ${repeatable}`,
    body: Joi.object<Ban>({
      ...target,
      durationSec: Joi.number()
        .integer()
        .min(0)
        .max(longestBanSec)
        .description("0 or absent: for ever."),
      reason: Joi.string().allow("").max(limits.banReason),
    })
      .or("account", "serial")
      .messages(oneOfBoth)
      .example({ account: "maple", durationSec: 86_400, reason: "Speed hack" }),
    takes,
    answers: { 200: "Banned", ...refusals },
    handle: (input, context) => banAccount(input.body, orderOf(input), context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/unban",
    summary: "Lift the ban of a game account",
    description: `403 \`own_account\` for an account that the caller has linked, administrators included. ${repeatable}`,
    body: Joi.object<{ account: string }, true>({ account: accountField().required() }),
    takes,
    answers: { 200: "Unbanned", ...refusals },
    handle: (input, context) => unbanAccount(input.body, orderOf(input), context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/broadcast",
    summary: "Say something to everyone in the world",
    description: repeatable,
    body: Joi.object<Broadcast>({
      text: visibleText(Joi.string().max(256)).required(),
      hue: Joi.number().integer().min(0).max(3000),
    }),
    takes,
    answers: { 200: "BroadcastDone", ...refusals },
    handle: (input, context) => broadcastText(input.body, orderOf(input), context),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shard/pages",
    summary: "Open help pages",
    answers: { 200: { listOf: "HelpPage" }, 502: "Error", 503: "Error" },
    handle: (input, context) => readHelpPages(requestIdOf(input), context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/pages/:id/respond",
    summary: "Answer a help page",
    description: repeatable,
    params: shardIdParam,
    body: Joi.object<PageResponse>({
      message: visibleText(Joi.string().max(1024)).required(),
      close: Joi.boolean().description("Whether the page is closed with it."),
    }),
    takes,
    answers: { 200: "PageDone", ...refusals },
    handle: (input, context) =>
      respondToHelpPage(input.params.id, input.body, orderOf(input), context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/pages/:id/close",
    summary: "Close a help page",
    description: repeatable,
    params: shardIdParam,
    takes,
    answers: { 200: "PageDone", ...refusals },
    handle: (input, context) => closeHelpPage(input.params.id, orderOf(input), context),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shard/audit",
    summary: "What staff did in the game, newest first",
    description: "Which game accounts they did it with is shown to administrators alone.",
    query: Joi.object<{ limit: number }, true>({ limit: limitField(limits.auditEvents) }),
    answers: { 200: { listOf: "StoredAdminAuditEvent" } },
    handle: ({ query, caller }, context) =>
      readAudit({ limit: query.limit, isAdmin: caller.role === "admin" }, context),
  }),
];
