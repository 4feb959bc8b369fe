import type { Tag } from "../http/route.ts";
import { defaultNumber, defaultTime } from "./defaults.ts";

const byDefault = "Numbers and durations are defaults; an operator may change them.";

/** What the chapters of the API description begin with, in their order. */
export const tags: Readonly<Record<Tag, string>> = {
  Site: "Status, settings and staff dashboard of the site.",
  Content:
    "News, wiki and pages. Texts are Markdown. The service renders and sanitizes them when they " +
    "are saved, so clients can show `body_html` unchanged. Responses to anonymous callers may be " +
    "cached for 5 seconds and have an `ETag`. Responses to signed-in callers are private. A text " +
    "that the caller may not see is 404 `not_found`.",
  Auth:
    `Signing in and out. A web session lasts ${defaultTime("SESSION_TTL")} from its sign-in, ` +
    `that of staff ${defaultTime("STAFF_SESSION_TTL")}; use does not extend it. After ` +
    `${defaultNumber("RL_LOGIN_SLOW_AFTER")} failed attempts, responses to an address become ` +
    `slower. After ${defaultNumber("RL_LOGIN_FAILED_MAX")} failed attempts, or ` +
    `${defaultNumber("RL_LOGIN_TOTAL_MAX")} attempts in all, within ` +
    `${defaultTime("RL_LOGIN_WINDOW")}, the address cannot sign in for ` +
    `${defaultTime("RL_LOGIN_BLOCK")} (429 with \`Retry-After\`). Each further block lasts twice ` +
    `as long, up to ${defaultTime("RL_LOGIN_BLOCK_LONGEST")}. Failed attempts from other ` +
    "addresses do not lock a user out. Each address has a bot score. Requests for paths that " +
    "only scanners try, a filled honeypot field and repeated failures increase the score; it " +
    `halves every ${defaultTime("BOT_HALF_LIFE")}. An address with a high score is banned from ` +
    `all operations (403 \`banned\`) for ${defaultTime("BOT_BAN")}. Each further ban lasts twice ` +
    `as long, up to ${defaultTime("BOT_BAN_LONGEST")}. ${byDefault}`,
  Account:
    "The caller's own account, devices and second factor. A TOTP code is valid in its own period " +
    "of 30 seconds and in the periods before and after it, once for each purpose (sign-in, " +
    "confirmation, turning the second factor off). A sign-in challenge allows " +
    `${defaultNumber("CHALLENGE_TRIES")} attempts. After ${defaultNumber("TOTP_LOCK_AFTER")} ` +
    `consecutive wrong codes the second factor is locked for ${defaultTime("TOTP_LOCK")}, and ` +
    "longer each further time; sessions stay valid. Changing the password or turning the second " +
    "factor off ends all other sessions; turning the second factor on ends none. Operations that " +
    "protect the account require the password or a code if the sign-in is older than " +
    `${defaultTime("REAUTH_AFTER")}. ${byDefault}`,
  Mobile:
    "Tokens for the site's own mobile app. Only this app may ask users for their username and " +
    `password. An access token is valid for ${defaultTime("ACCESS_TTL")}, a refresh token for ` +
    `one use within ${defaultTime("REFRESH_TTL")}. ${defaultTime("REFRESH_FAMILY_TTL")} after ` +
    "the sign-in, the device must sign in again. " +
    byDefault,
  Users: "Administration of users, invitations, sign-in providers, API tokens, bans and the log.",
  Appeals:
    "Appeals against bans of game accounts. Players see their own appeals, without the names and " +
    "internal notes of staff. Players can appeal against bans that were issued through the site " +
    "and bans that the shard reported.",
  Shard:
    "Public data of the shard. Administrators set an audience for each feature and, with field " +
    "rules, for single fields. Fields for a higher audience are left out of the responses.",
  "Shard player":
    "The caller's own game accounts, characters and saved market searches on the shard.",
  "Shard staff": "Commands to the shard, and administration of its link.",
  Imports: "Imports of the atlas, the clilocs (texts of the game) and the artwork.",
  Events:
    "Event definitions with their published versions, series, runs, the calendar, and the " +
    "actions that steps can use. A refusal under `/admin/events` lists every fault, with a JSON " +
    "pointer into the request as `path`.",
  Survival:
    "Public data of the survival servers, and the caller's own data on these servers. The data " +
    "comes from the site's own database, also while a game server is down. The presence audience " +
    "of a server determines who sees its players.",
  "Survival staff": "Commands to survival servers, and their administration.",
  Plugins:
    "Calls of plugins, which owners of game servers copy into the game. Their only credential is the " +
    "key of the link in `Authorization: Bearer ghk_…`. Refusals have a `code` beside `error`, by " +
    "which a plugin decides what to do next. A key makes at most 8 calls at once, and 20 hellos and " +
    "calls with events in a second.",
  Webhooks:
    "URLs (such as that of a chat bot) to which the site posts events that everyone may see. " +
    "Administrators create webhooks. A message may arrive more than once, always with the same " +
    "`Webhook-Id`, and the order of messages is not guaranteed.",
  Operations: "Queues, jobs and processes of the service.",
};
