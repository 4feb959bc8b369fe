import { callerErrorCodes, ownAccountErrorCodes } from "./caller-error-codes.ts";
import type { ErrorCodeSpec } from "./error-kinds.ts";
import { pluginErrorCodes } from "./plugin-error-codes.ts";
import { survivalErrorCodes } from "./survival-error-codes.ts";

/** CATALOGUE of the error codes. A released code keeps its meaning. A new meaning needs a new code. */
export const errorCodes = {
  ...callerErrorCodes,

  unknown_path: {
    kind: "missing",
    meaning: "The API has no such path, or the path does not support the method.",
  },
  not_found: {
    kind: "missing",
    meaning: "The object that the request names does not exist, or the caller may not see it.",
  },
  feature_disabled: { kind: "missing", meaning: "The feature is turned off on the site." },
  invalid_link: {
    kind: "missing",
    meaning:
      "The link of an invitation or of a password reset is unknown, used, revoked or expired.",
  },
  unknown_to_shard: {
    kind: "missing",
    meaning: "The game server does not know the object that the request names.",
  },

  method_not_allowed: {
    kind: "wrongMethod",
    meaning:
      "The path does not support the method. The header `Allow` lists the supported methods.",
  },
  request_timeout: { kind: "tooSlow", meaning: "The request did not arrive completely in time." },
  precondition_failed: {
    kind: "unmet",
    meaning: "The file does not meet a condition in the request's headers, such as `If-Match`.",
  },

  name_taken: {
    kind: "conflict",
    meaning:
      "Another object of the same type has the name. For a user name, also: the name is " +
      "reserved, or too similar to the name of a staff member.",
  },
  link_kind: {
    kind: "conflict",
    meaning:
      "The `kind` of the game server's link does not allow the operation: change `kind` first.",
  },
  stale_revision: {
    kind: "conflict",
    meaning:
      "The object has changed since the revision on which the request is based. `current` " +
      "contains the current object.",
  },
  last_admin: {
    kind: "conflict",
    meaning: "The change would leave the site without an administrator.",
  },
  provider_exists: { kind: "conflict", meaning: "A sign-in provider with this id exists." },
  provider_built_in: {
    kind: "conflict",
    meaning: "A built-in sign-in provider cannot be deleted: disable it instead.",
  },
  last_sign_in_way: {
    kind: "conflict",
    meaning:
      "The caller could no longer sign in without this provider account: set a password first.",
  },
  second_factor_enabled: { kind: "conflict", meaning: "The user's second factor is already on." },
  second_factor_disabled: { kind: "conflict", meaning: "The user's second factor is off." },
  enrolment_not_begun: {
    kind: "conflict",
    meaning: "No second factor is being set up: start with `POST /auth/me/account/totp/setup`.",
  },
  recovery_codes_exist: {
    kind: "conflict",
    meaning: "The user already has recovery codes: use the operation that replaces them.",
  },
  trust_limit_reached: {
    kind: "conflict",
    meaning:
      "The user already trusts the maximum number of browsers. The code and challenge stay valid.",
  },
  search_limit_reached: {
    kind: "conflict",
    meaning: "The user has the maximum number of saved market searches: delete one first.",
  },
  device_limit_reached: {
    kind: "conflict",
    meaning: "The user has the maximum number of push devices: remove one first.",
  },
  account_linked_elsewhere: {
    kind: "conflict",
    meaning: "The game account or Steam account is linked to another user.",
  },
  idempotency_conflict: {
    kind: "conflict",
    meaning: "The `Idempotency-Key` was already used with a different request.",
  },
  event_state: {
    kind: "conflict",
    meaning:
      "The state of the event, run or step does not allow the change. `errors` contains the " +
      "reason.",
  },
  slug_taken: { kind: "conflict", meaning: "Another object uses the slug." },
  token_limit_reached: {
    kind: "conflict",
    meaning: "The maximum number of API tokens exists: revoke one first.",
  },
  webhook_limit_reached: {
    kind: "conflict",
    meaning: "The maximum number of webhooks exists: delete one first.",
  },
  webhook_disabled: { kind: "conflict", meaning: "The webhook is off: turn it on first." },
  no_punishment: {
    kind: "conflict",
    meaning: "The site knows of no active ban of the game account.",
  },
  appeal_exists: { kind: "conflict", meaning: "An appeal against the ban is already open." },
  appeal_closed: { kind: "conflict", meaning: "The appeal has already been decided or withdrawn." },
  job_state: {
    kind: "conflict",
    meaning:
      "The state of the job does not allow the operation. For example, a job that has ended " +
      "cannot be canceled.",
  },
  job_is_queued: {
    kind: "conflict",
    meaning:
      "A job for the same task is already waiting or running, and the queue accepts only one " +
      "such job.",
  },

  body_too_large: { kind: "tooLarge", meaning: "The body is larger than the API accepts." },
  unsupported_media_type: {
    kind: "wrongType",
    meaning: "The media type, encoding or charset of the body is not supported: send JSON.",
  },
  range_not_satisfiable: {
    kind: "wrongRange",
    meaning: "The requested range starts after the end of the file.",
  },

  expectation_failed: {
    kind: "wrongExpectation",
    meaning: "The API supports only `100-continue` in the header `Expect`.",
  },
  headers_too_large: {
    kind: "headTooLarge",
    meaning: "The URL and headers together are larger than the API accepts.",
  },

  rate_limited: {
    kind: "limited",
    meaning:
      "The caller or the IP address has sent too many requests: retry after `Retry-After` seconds.",
  },
  appeal_cooling_down: {
    kind: "limited",
    meaning:
      "An appeal against the ban was rejected. A new appeal is possible after `Retry-After` " +
      "seconds.",
  },
  shard_limit_reached: {
    kind: "limited",
    meaning: "A limit of the game server is reached: retry after `Retry-After` seconds.",
  },

  internal_error: {
    kind: "internal",
    meaning:
      "The service failed. Report the `X-Request-Id`, with which the operator finds the details " +
      "in the log.",
  },

  provider_failed: {
    kind: "upstream",
    meaning: "The sign-in provider failed or sent a response that cannot be trusted.",
  },
  shard_protocol_mismatch: {
    kind: "upstream",
    meaning: "The game server uses a different version of the protocol than the link is set to.",
  },
  shard_refused_token: {
    kind: "upstream",
    meaning: "The game server refused the token with which the site authenticates.",
  },
  shard_unsupported: {
    kind: "upstream",
    meaning:
      "The game server does not support the operation, or the operation is turned off on the " +
      "game server.",
  },
  shard_busy: {
    kind: "upstream",
    meaning: "The game server is busy with an earlier request of the same kind.",
  },
  shard_failed: {
    kind: "upstream",
    meaning: "The game server failed or sent a response that cannot be read.",
  },

  site_maintenance: {
    kind: "unavailable",
    meaning: "The site is in maintenance: only staff may use it.",
  },
  site_closed: {
    kind: "unavailable",
    meaning: "The site is closed: only administrators may use it.",
  },
  shard_unavailable: { kind: "unavailable", meaning: "The game server cannot be reached." },
  push_relay_unresolved: {
    kind: "unavailable",
    meaning:
      "The site cannot resolve the host name of the push relay: retry after `Retry-After` seconds.",
  },
  webhook_host_unresolved: {
    kind: "unavailable",
    meaning:
      "The site cannot resolve the host name of the webhook: retry after `Retry-After` seconds.",
  },
  database_unavailable: {
    kind: "unavailable",
    meaning:
      "The database is unavailable. The site may or may not have made a requested change: read " +
      "the object before you repeat the request after `Retry-After` seconds.",
  },
  busy: {
    kind: "unavailable",
    meaning:
      "The site is busy with other requests: retry after `Retry-After` seconds, or in a moment " +
      "if the answer lacks this header.",
  },
  second_factor_unavailable: {
    kind: "unavailable",
    meaning:
      "The site cannot check codes of the second factor until an operator restores the " +
      "encryption key.",
  },
  ...ownAccountErrorCodes,
  ...pluginErrorCodes,
  ...survivalErrorCodes,
} as const satisfies Record<string, ErrorCodeSpec>;

export type ErrorCode = keyof typeof errorCodes;
