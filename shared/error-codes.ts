import type { CodeSpec } from "./code-spec.ts";
import { ownAccountErrorCodes } from "./own-account-error-codes.ts";
import { survivalErrorCodes } from "./survival-error-codes.ts";

/**
 * CATALOGUE of what a program is told about a refusal, beside the words for people. A code stays
 * as it is once it was released; what clients should handle in another way gets a new one.
 */
export const errorCodes = {
  invalid_request: {
    kind: "invalid",
    meaning: "The request contradicts itself, or a sign-in lacks a field.",
  },
  validation_failed: {
    kind: "invalid",
    meaning: "Parameters or fields break rules; `errors` names each of them.",
  },
  malformed_request: { kind: "invalid", meaning: "What came is no HTTP that can be read." },
  malformed_path: { kind: "invalid", meaning: "The path holds a broken percent-encoding." },
  malformed_body: { kind: "invalid", meaning: "The body is no JSON object that can be read." },
  invalid_link_code: { kind: "invalid", meaning: "The link code is unknown, used up or too old." },
  shard_refused_request: { kind: "invalid", meaning: "The game server found a field wrong." },

  invalid_grant: {
    kind: "invalid",
    meaning: "The code of a sign-in at a provider is unknown, used, too old or somebody else's.",
  },
  sso_ended: {
    kind: "invalid",
    meaning: "The sign-in at a provider is over, took too long or began in another browser.",
  },
  redirect_not_allowed: {
    kind: "invalid",
    meaning: "The app may take a sign-in back at the configured addresses alone.",
  },

  not_authenticated: {
    kind: "unauthenticated",
    meaning: "No session, or one that has ended: refresh it or sign in.",
  },
  invalid_credentials: { kind: "unauthenticated", meaning: "The sign-in failed." },
  code_required: {
    kind: "unauthenticated",
    meaning: "The password is right; the same request needs a second factor too.",
  },
  invalid_code: {
    kind: "unauthenticated",
    meaning: "The second factor was refused, or its challenge has ended.",
  },
  invalid_refresh_token: {
    kind: "unauthenticated",
    meaning: "The refresh token is of no use any more: sign in.",
  },
  refresh_token_overtaken: {
    kind: "unauthenticated",
    meaning:
      "The refresh token was used a moment ago, and its successor too. The device session lives: " +
      "go on with the latest pair.",
  },

  banned: { kind: "forbidden", meaning: "The address is shut out for a while." },
  cross_site: {
    kind: "forbidden",
    meaning: "A page of another site sent the request, or a page embeds the address.",
  },
  role_required: { kind: "forbidden", meaning: "The caller's role may not do this." },
  session_required: {
    kind: "forbidden",
    meaning: "No API token opens this: it is for people who are signed in.",
  },
  scope_missing: {
    kind: "forbidden",
    meaning: "The API token lacks the scope that the route's description names.",
  },
  second_factor_required: {
    kind: "forbidden",
    meaning: "The site lets staff in here with a second factor alone: enrol at `/auth/me/account`.",
  },
  feature_locked: {
    kind: "forbidden",
    meaning: "The site shows this to callers of a higher rung; signing in may help.",
  },
  registration_closed: { kind: "forbidden", meaning: "The site takes no new users." },
  signup_unavailable: { kind: "forbidden", meaning: "No game accounts are made here at present." },
  account_not_linked: {
    kind: "forbidden",
    meaning: "The game account or character is not linked to the caller.",
  },
  protected_target: {
    kind: "forbidden",
    meaning: "The game server protects this account, as it does its own staff's.",
  },
  write_plane_disabled: {
    kind: "forbidden",
    meaning: "The game server takes no changes from the site.",
  },

  appeals_disabled: { kind: "forbidden", meaning: "The site takes no appeals at present." },
  party_to_appeal: {
    kind: "forbidden",
    meaning: "The caller issued the punishment or appeals against it: somebody else decides.",
  },

  unknown_path: { kind: "missing", meaning: "The API has no such path, or not for this method." },
  not_found: { kind: "missing", meaning: "The path is right; what it names does not exist." },
  feature_disabled: { kind: "missing", meaning: "The site has this part switched off." },
  invalid_link: { kind: "missing", meaning: "The mailed link is unknown, used or too old." },
  unknown_to_shard: { kind: "missing", meaning: "The game server does not know what was named." },

  method_not_allowed: {
    kind: "wrongMethod",
    meaning: "The path takes other methods; `Allow` lists them.",
  },
  request_timeout: { kind: "tooSlow", meaning: "The request did not come whole in time." },
  precondition_failed: {
    kind: "unmet",
    meaning: "What a conditional request names is not what is served now.",
  },

  name_taken: { kind: "conflict", meaning: "Somebody has the name." },
  stale_revision: {
    kind: "conflict",
    meaning: "Somebody changed it after the revision the change is based on: read it again.",
  },
  last_admin: { kind: "conflict", meaning: "Nobody would be left to administer the site." },
  provider_exists: { kind: "conflict", meaning: "There is a sign-in provider with this id." },
  provider_built_in: {
    kind: "conflict",
    meaning: "A built-in sign-in provider cannot be deleted: disable it.",
  },
  last_sign_in_way: {
    kind: "conflict",
    meaning: "The caller could not sign in any more: set a password first.",
  },
  second_factor_enabled: { kind: "conflict", meaning: "The second factor is on already." },
  second_factor_disabled: { kind: "conflict", meaning: "The second factor is not on." },
  enrolment_not_begun: {
    kind: "conflict",
    meaning: "No second factor waits to be confirmed: begin with the set-up.",
  },
  recovery_codes_exist: {
    kind: "conflict",
    meaning: "There is a set of recovery codes: replace it instead.",
  },
  trust_limit_reached: {
    kind: "conflict",
    meaning: "The user trusts as many devices as may be; nothing of the request counted.",
  },
  search_limit_reached: {
    kind: "conflict",
    meaning: "The user keeps as many market searches as may be: remove one first.",
  },
  device_limit_reached: {
    kind: "conflict",
    meaning: "The user has as many devices for push messages as may be: remove one first.",
  },
  account_linked_elsewhere: {
    kind: "conflict",
    meaning: "The game account is linked to another user.",
  },
  idempotency_conflict: {
    kind: "conflict",
    meaning: "The game server met the idempotency key with another request.",
  },
  event_state: {
    kind: "conflict",
    meaning: "The event, run or step is in a state that does not allow this; `errors` says which.",
  },
  slug_taken: { kind: "conflict", meaning: "Another one has the slug." },
  token_limit_reached: {
    kind: "conflict",
    meaning: "There are as many API tokens as may be: revoke one.",
  },
  webhook_limit_reached: { kind: "conflict", meaning: "There are as many webhooks as may be." },
  webhook_disabled: { kind: "conflict", meaning: "The webhook is off: switch it on first." },
  no_punishment: {
    kind: "conflict",
    meaning: "Nothing is known that the game account is punished with now.",
  },
  appeal_exists: { kind: "conflict", meaning: "The punishment is being appealed already." },
  appeal_closed: { kind: "conflict", meaning: "The appeal was decided or withdrawn." },
  job_state: { kind: "conflict", meaning: "The job is in a state that does not allow this." },
  job_is_queued: { kind: "conflict", meaning: "An equal job waits or runs already." },

  body_too_large: { kind: "tooLarge", meaning: "The body is larger than the API reads." },
  unsupported_media_type: {
    kind: "wrongType",
    meaning: "The body's type, encoding or charset is not read here: send JSON.",
  },
  range_not_satisfiable: { kind: "wrongRange", meaning: "The file ends before the range begins." },

  expectation_failed: {
    kind: "wrongExpectation",
    meaning: "`Expect` may ask for `100-continue` alone.",
  },
  headers_too_large: {
    kind: "headTooLarge",
    meaning: "Address and headers together are larger than the API reads.",
  },

  rate_limited: {
    kind: "limited",
    meaning: "Too many requests: come back after `Retry-After` seconds.",
  },
  appeal_cooling_down: {
    kind: "limited",
    meaning:
      "An appeal against the punishment was rejected: come back after `Retry-After` seconds.",
  },
  shard_limit_reached: {
    kind: "limited",
    meaning: "The game server's own limit: come back after `Retry-After` seconds.",
  },

  internal_error: {
    kind: "internal",
    meaning: "A fault of the service; `X-Request-Id` finds it in the log.",
  },

  provider_failed: {
    kind: "upstream",
    meaning: "The sign-in provider failed, or answered what cannot be trusted.",
  },
  shard_protocol_mismatch: {
    kind: "upstream",
    meaning: "The game server speaks another version of the protocol.",
  },
  shard_refused_token: {
    kind: "upstream",
    meaning: "The game server refused the site's own token.",
  },
  shard_unsupported: {
    kind: "upstream",
    meaning: "The game server cannot do this, or has it switched off.",
  },
  shard_busy: { kind: "upstream", meaning: "The game server is busy with an equal request." },
  shard_failed: {
    kind: "upstream",
    meaning: "The game server failed, or answered what cannot be understood.",
  },

  site_maintenance: { kind: "unavailable", meaning: "The site is in maintenance, but for staff." },
  site_closed: { kind: "unavailable", meaning: "The site is closed, but for administrators." },
  shard_unavailable: { kind: "unavailable", meaning: "The game server cannot be reached." },
  push_relay_unresolved: {
    kind: "unavailable",
    meaning: "The push relay's name cannot be looked up: come back after `Retry-After` seconds.",
  },
  webhook_host_unresolved: { kind: "unavailable", meaning: "A host cannot be looked up now." },
  database_unavailable: {
    kind: "unavailable",
    meaning:
      "The database cannot be used now; whether a change was made is not known: look, or send the " +
      "same again after `Retry-After` seconds.",
  },
  busy: { kind: "unavailable", meaning: "Too much waits its turn: come back in a moment." },
  second_factor_unavailable: {
    kind: "unavailable",
    meaning: "Codes cannot be checked until an operator gives a key back.",
  },
  ...ownAccountErrorCodes,
  ...survivalErrorCodes,
} as const satisfies Record<string, CodeSpec>;

export type ErrorCode = keyof typeof errorCodes;
