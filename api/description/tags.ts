import type { RouteTag } from "../http/route.ts";
import { readDefaultNumber, formatDefaultDuration } from "./defaults.ts";

const byDefault = "Numbers and durations are defaults; an operator may change them.";

/** The introductions of the API description's chapters, in order. */
export const tags: Readonly<Record<RouteTag, string>> = {
  Site: "Status, settings and staff dashboard of the site.",
  Content:
    "News, wiki and pages. Texts are written in Markdown. The service renders and sanitizes a " +
    "text when the text is saved, so clients can show `body_html` unchanged. Responses to " +
    "anonymous callers may be cached for 5 seconds and have an `ETag`. Responses to signed-in " +
    "callers are private. A text that the caller may not see is 404 `not_found`.",
  Auth:
    `Signing in and out. A web session lasts ${formatDefaultDuration("SESSION_TTL")} from its sign-in, ` +
    `a session of staff ${formatDefaultDuration("STAFF_SESSION_TTL")}; use does not extend a session. ` +
    `After ${readDefaultNumber("RL_LOGIN_SLOW_AFTER")} failed attempts, responses to the IP address become ` +
    `slower. After ${readDefaultNumber("RL_LOGIN_FAILED_MAX")} failed attempts, or ` +
    `${readDefaultNumber("RL_LOGIN_TOTAL_MAX")} attempts in all, within ` +
    `${formatDefaultDuration("RL_LOGIN_WINDOW")}, nobody can sign in from the IP address for ` +
    `${formatDefaultDuration("RL_LOGIN_BLOCK")} (429 with \`Retry-After\`). Each further block lasts twice ` +
    `as long, up to ${formatDefaultDuration("RL_LOGIN_BLOCK_LONGEST")}. Failed attempts from other IP ` +
    "addresses do not lock a user out. Each IP address has a bot score. Requests for paths that " +
    "only scanners try, a filled honeypot field and repeated failures increase the score; the " +
    `score halves every ${formatDefaultDuration("BOT_HALF_LIFE")}. An IP address with a high score is ` +
    `banned from all operations (403 \`banned\`) for ${formatDefaultDuration("BOT_BAN")}. Each further ban lasts ` +
    `twice as long, up to ${formatDefaultDuration("BOT_BAN_LONGEST")}. ${byDefault}`,
  Account:
    "The caller's own account, devices and second factor. A TOTP code is valid in its own period " +
    "of 30 seconds and in the periods before and after it, once for each purpose (sign-in, " +
    "confirmation, turning the second factor off). A sign-in challenge allows " +
    `${readDefaultNumber("CHALLENGE_TRIES")} attempts. After ${readDefaultNumber("TOTP_LOCK_AFTER")} ` +
    `consecutive wrong codes the second factor is locked for ${formatDefaultDuration("TOTP_LOCK")}, and ` +
    "longer each further time; sessions stay valid. Changing the password or turning the second " +
    "factor off ends all other sessions; turning the second factor on ends none. Operations that " +
    "protect the account require the password or a code if the sign-in is older than " +
    `${formatDefaultDuration("REAUTH_AFTER")}. ${byDefault}`,
  Mobile:
    "Tokens for the site's own mobile app. No other software may ask users for their username " +
    `and password. An access token is valid for ${formatDefaultDuration("ACCESS_TTL")}, a refresh token ` +
    `for one use within ${formatDefaultDuration("REFRESH_TTL")}. ${formatDefaultDuration("REFRESH_FAMILY_TTL")} ` +
    "after the sign-in, the device must sign in again. " +
    byDefault,
  Users:
    "Administration of users, invitations, sign-in providers, API tokens, bans of IP addresses, " +
    "and the activity log.",
  Appeals:
    "Appeals against bans of game accounts. Players see their own appeals, without the names and " +
    "internal notes of staff. Players can appeal against bans that were issued through the site " +
    "and bans that the shard reported.",
  Shard:
    "Public data of the shard. Administrators set an audience for each feature and, with field " +
    "rules, for single fields. Responses leave out fields that the caller's audience may not see.",
  "Shard player":
    "The caller's own game accounts, characters and saved market searches on the shard.",
  "Shard staff": "Commands to the shard, and administration of its link.",
  Imports: "Imports of the atlas, the clilocs (texts of the game) and the artwork.",
  Events:
    "Event definitions with their published versions, series, runs, the calendar, and the " +
    "actions that steps can use. If a request under `/admin/events` is not valid, the response " +
    "lists every fault, with a JSON pointer to the invalid field as `path`.",
  Survival:
    "Public data of the survival servers, and the caller's own data on these servers. The data " +
    "comes from the site's own database, so it is also available while a game server is down. " +
    "Who sees the players of a server depends on the presence audience that administrators set " +
    "for the server.",
  "Survival staff": "Commands to survival servers, and their administration.",
  Plugins:
    "Operations for plugins. A plugin is a file that the owner of a game server copies into the " +
    "game; the plugin calls the site. The only credential is the key of the game server's link, " +
    "in `Authorization: Bearer ghk_…`; only reports of players have a key of their own, in the " +
    "path. In addition to `error`, the body of a refusal to a plugin contains `code`, by which " +
    "the plugin decides what to do next. With one key, at most 8 calls can be under way at a " +
    "time, and at most 20 calls of `POST /plugin/hello` and `POST /plugin/events` a second.",
  Webhooks:
    "URLs (such as that of a chat bot) to which the site posts events that everyone may see. " +
    "Administrators create webhooks. A message may arrive more than once, always with the same " +
    "`Webhook-Id`, and the order of messages is not guaranteed.",
  Operations: "Queues, jobs and processes of the service.",
};
