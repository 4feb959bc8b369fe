import type { Tag } from "../http/route.ts";
import { defaultNumber, defaultTime } from "./defaults.ts";

const byDefault = "Numbers and durations are defaults; an operator may change them.";

/** What the chapters of the API description begin with, in their order. */
export const tags: Readonly<Record<Tag, string>> = {
  Site: "Status, settings and staff dashboard of the site.",
  Content:
    "News, wiki and pages. Texts are Markdown, rendered and sanitized when they are saved, so " +
    "`body_html` can be shown as it is. Responses to anonymous callers may be cached for 5 " +
    "seconds and have an `ETag`; responses to signed-in callers are private. A text that the " +
    "caller may not see is 404 `not_found`.",
  Auth:
    `Signing in and out. A web session lasts ${defaultTime("SESSION_TTL")} from its sign-in, ` +
    `that of staff ${defaultTime("STAFF_SESSION_TTL")}; use does not extend it. After ` +
    `${defaultNumber("RL_LOGIN_SLOW_AFTER")} failures an address receives responses more slowly. ` +
    `After ${defaultNumber("RL_LOGIN_FAILED_MAX")} failures or ` +
    `${defaultNumber("RL_LOGIN_TOTAL_MAX")} attempts within ${defaultTime("RL_LOGIN_WINDOW")} it ` +
    `cannot sign in for ${defaultTime("RL_LOGIN_BLOCK")} (429 with \`Retry-After\`), and twice ` +
    `as long each further time, up to ${defaultTime("RL_LOGIN_BLOCK_LONGEST")}. Failures from other ` +
    "addresses lock no user out. Behavior of bots (requests for paths that only scanners try, a " +
    "filled honeypot field, repeated failures) raises a score of the address, which halves every " +
    `${defaultTime("BOT_HALF_LIFE")}. A high score bans the address from all operations (403 ` +
    `\`banned\`) for ${defaultTime("BOT_BAN")}, and twice as long each further time, up to ` +
    `${defaultTime("BOT_BAN_LONGEST")}. ${byDefault}`,
  Account:
    "The caller's own account, devices and second factor. A TOTP code is valid once per purpose " +
    "(sign-in, confirmation, turning the second factor off), in its 30 seconds and the 30 before " +
    `and after. A sign-in challenge allows ${defaultNumber("CHALLENGE_TRIES")} attempts. ` +
    `${defaultNumber("TOTP_LOCK_AFTER")} failures in a row lock the second factor for ` +
    `${defaultTime("TOTP_LOCK")}, longer each further time; sessions stay valid. Changing the ` +
    "password or turning the second factor off ends all other sessions; turning it on ends none. " +
    "Operations that protect the account require the password or a code if the sign-in is older " +
    `than ${defaultTime("REAUTH_AFTER")}. ${byDefault}`,
  Mobile:
    "Tokens of the site's own mobile app. It asks for username and password itself; other " +
    `applications must not. An access token is valid for ${defaultTime("ACCESS_TTL")}, a refresh ` +
    `token for one use within ${defaultTime("REFRESH_TTL")}; ` +
    `${defaultTime("REFRESH_FAMILY_TTL")} after its sign-in a device must sign in again. ` +
    byDefault,
  Users: "Administration of users, invitations, sign-in providers, API tokens, bans and the log.",
  Appeals:
    "Appeals against bans of game accounts. Players see their own appeals, without names and " +
    "internal notes of staff. The site knows bans that it issued itself and bans that the shard " +
    "reports.",
  Shard:
    "Public data of the shard. Administrators set an audience for each feature and, with field " +
    "rules, for single fields. Fields for a higher audience are left out of the responses.",
  "Shard player":
    "The caller's own game accounts, characters and saved market searches on the shard.",
  "Shard staff": "Commands to the shard, and administration of its link.",
  Imports: "Imports of the atlas, the clilocs (texts of the game) and the artwork.",
  Events:
    "Event definitions and their published versions, series, runs, the calendar, and the actions " +
    "that steps may use. Under `/admin/events`, a refusal lists every fault, each with a JSON " +
    "pointer into the request as `path`.",
  Survival:
    "Public data of the survival servers, served from the site's own database also while a game " +
    "server is down, and the caller's own data on them. The presence audience decides who sees " +
    "the players of a server.",
  "Survival staff": "Commands to survival servers, and their administration.",
  Webhooks:
    "Addresses to which the site posts events that everyone may see, such as that of a chat bot. " +
    "There are none until an administrator creates one. A message may arrive more than once, " +
    "each time with the same `Webhook-Id`, and the order is not guaranteed.",
  Operations: "Queues, jobs and processes of the service.",
};
