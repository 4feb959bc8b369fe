import type { Tag } from "../http/route.ts";
import { defaultNumber, defaultTime } from "./defaults.ts";

const byDefault = "Numbers and times are the defaults; a deployment may set others.";

/** What the chapters of the API description begin with, in their order. */
export const tags: Readonly<Record<Tag, string>> = {
  Site: "Status, settings and staff overview of the site.",
  Content:
    "News, wiki and pages: markdown that is rendered safely when it is saved, so that `body_html` " +
    "may be shown as it is. Anonymous answers may be kept for 5 seconds and carry an `ETag`; what " +
    "a signed-in caller is answered is theirs alone. A text that the caller may not see is " +
    "answered as one that does not exist.",
  Auth:
    `Signing in and out. A web session lives for ${defaultTime("SESSION_TTL")} from its sign-in, ` +
    `that of staff for ${defaultTime("STAFF_SESSION_TTL")}; no use prolongs it. An address is ` +
    `answered more slowly after ${defaultNumber("RL_LOGIN_SLOW_AFTER")} failures; after ` +
    `${defaultNumber("RL_LOGIN_FAILED_MAX")} failures or ${defaultNumber("RL_LOGIN_TOTAL_MAX")} tries in ` +
    `${defaultTime("RL_LOGIN_WINDOW")} it may not sign in for ${defaultTime("RL_LOGIN_BLOCK")}, ` +
    `and twice as long each further time, up to ${defaultTime("RL_LOGIN_BLOCK_LONGEST")} (429 ` +
    "with `Retry-After`). Nobody is locked out by what others try with their name. What only " +
    "programs do (paths that scanners try, a hidden field filled, failure upon failure) adds to " +
    `a score that halves in ${defaultTime("BOT_HALF_LIFE")} of quiet; too high, it bans the ` +
    `address from every route (403), for ${defaultTime("BOT_BAN")} and then twice as long each ` +
    `time, up to ${defaultTime("BOT_BAN_LONGEST")}. ${byDefault}`,
  Account:
    "The caller's own account, devices and second factor. A code is good once for each purpose " +
    "(signing in, confirming, switching off), in its 30 seconds and those before and after. A " +
    `challenge takes ${defaultNumber("CHALLENGE_TRIES")} tries; ${defaultNumber("TOTP_LOCK_AFTER")} failures ` +
    `in a row lock the second factor for ${defaultTime("TOTP_LOCK")}, and no session that lives. ` +
    "Another password, or a second factor switched off, ends every other session; switching it " +
    "on ends none. What guards the account asks for the password or a code when the sign-in is " +
    `older than ${defaultTime("REAUTH_AFTER")}. ${byDefault}`,
  Mobile:
    "Tokens of the mobile app, which is ours: it asks for name and password itself, and no other " +
    `application may. An access token lives for ${defaultTime("ACCESS_TTL")}. A refresh token is ` +
    `good once, within ${defaultTime("REFRESH_TTL")}; a device signs in anew after ` +
    `${defaultTime("REFRESH_FAMILY_TTL")}. ${byDefault}`,
  Users: "User administration.",
  Appeals:
    "Appeals against bans of game accounts. Players see their own, and of staff neither names nor " +
    "notes. Bans are known from the site's own command and from what the shard tells.",
  Shard: "The shard as anyone may see it.",
  "Shard player": "The caller's own game accounts.",
  "Shard staff": "Acting in game, and running the link to the shard.",
  Imports: "Atlas, cliloc and artwork imports.",
  Events:
    "What takes place: definitions and their published versions, series, runs, the calendar, and " +
    "which actions may be taken. Under `/admin/events` a refusal of fields or of a change names " +
    "every fault, `path` being a JSON pointer into the request.",
  Survival:
    "The survival servers as anyone may see them, answered from our own tables also while the game " +
    "is off, and the caller's own part in them. Who is on a server is shown from the presence " +
    "audience upwards.",
  "Survival staff": "Running survival servers, and acting on them.",
  Webhooks:
    "Addresses to which the site posts what everybody may see, such as a chat bot's: off until " +
    "somebody makes one. A message arrives at least once; the same one has the same `Webhook-Id`, and " +
    "their order is not promised.",
  Operations: "Queues, jobs and workers.",
};
