import type { ErrorCodeSpec } from "./error-kinds.ts";

export const callerErrorCodes = {
  invalid_request: {
    kind: "invalid",
    meaning:
      "The request is not possible in this form. For example, its fields contradict each other, " +
      "or push messages are off on the site.",
  },
  validation_failed: {
    kind: "invalid",
    meaning: "Parameters or fields are not valid. `errors` lists each fault.",
  },
  malformed_request: { kind: "invalid", meaning: "The request is not valid HTTP." },
  malformed_path: { kind: "invalid", meaning: "The path contains a broken percent-encoding." },
  malformed_body: { kind: "invalid", meaning: "The body is not a valid JSON object." },
  invalid_link_code: {
    kind: "invalid",
    meaning: "The code for linking a game account or Steam account is unknown, used or expired.",
  },
  shard_refused_request: {
    kind: "invalid",
    meaning: "The game server rejected a field of the request. `error` contains the reason.",
  },

  invalid_grant: {
    kind: "invalid",
    meaning:
      "The code of a sign-in on mobile is unknown, used or expired, or does not match " +
      "`code_verifier`.",
  },
  sso_ended: {
    kind: "invalid",
    meaning:
      "The sign-in at a provider was already completed, has expired, or began in another browser.",
  },
  redirect_not_allowed: {
    kind: "invalid",
    meaning: "`redirect_uri` is not one of the URLs that the site allows for its mobile app.",
  },

  not_authenticated: {
    kind: "unauthenticated",
    meaning: "The request has no valid session or token: refresh the tokens, or sign in.",
  },
  invalid_credentials: {
    kind: "unauthenticated",
    meaning:
      "The sign-in failed. The answer does not reveal whether the user name or the password is " +
      "wrong.",
  },
  code_required: {
    kind: "unauthenticated",
    meaning:
      "The password is correct, and the user has a second factor: send the same request again " +
      "with a code of the second factor.",
  },
  invalid_code: {
    kind: "unauthenticated",
    meaning:
      "The code of the second factor is wrong or was already used, the second factor is locked, " +
      "or the challenge is no longer valid.",
  },
  invalid_refresh_token: {
    kind: "unauthenticated",
    meaning: "The refresh token is unknown, used, expired or revoked: sign in.",
  },
  refresh_token_overtaken: {
    kind: "unauthenticated",
    meaning:
      "The app has already used both this refresh token and the one that replaced it. The device " +
      "session stays valid: continue with the newest pair of tokens.",
  },

  banned: { kind: "forbidden", meaning: "The IP address is temporarily banned." },
  cross_site: {
    kind: "forbidden",
    meaning:
      "A page of another site sent the request, or a page loads the URL as an image, script or " +
      "frame.",
  },
  role_required: { kind: "forbidden", meaning: "The caller's role does not allow the operation." },
  session_required: {
    kind: "forbidden",
    meaning: "API tokens cannot call the operation: it requires a signed-in user.",
  },
  scope_missing: {
    kind: "forbidden",
    meaning: "The API token lacks the scope that the operation requires (`x-token-scope`).",
  },
  second_factor_required: {
    kind: "forbidden",
    meaning:
      "The site requires a second factor for staff: set up a second factor at `POST " +
      "/auth/me/account/totp/setup`.",
  },
  feature_locked: {
    kind: "forbidden",
    meaning:
      "The caller is not in the audience of the feature. Signing in, or linking a game account, " +
      "may help.",
  },
  registration_closed: { kind: "forbidden", meaning: "Registration is turned off on the site." },
  signup_unavailable: {
    kind: "forbidden",
    meaning: "Users cannot create game accounts on the site at present.",
  },
  account_not_linked: {
    kind: "forbidden",
    meaning:
      "The game account is not linked to the caller, or the character belongs to no linked game " +
      "account.",
  },
  protected_target: {
    kind: "forbidden",
    meaning:
      "The game server does not let the site change this game account (for example, of the " +
      "game's staff) or this file.",
  },
  write_plane_disabled: {
    kind: "forbidden",
    meaning: "The game server does not accept changes from the site.",
  },

  appeals_disabled: { kind: "forbidden", meaning: "The site does not accept appeals at present." },
  party_to_appeal: {
    kind: "forbidden",
    meaning:
      "The caller may not decide this appeal, because the caller opened it, has linked the " +
      "banned game account, or issued the ban. Administrators may decide an appeal against a ban " +
      "that they issued.",
  },
} as const satisfies Record<string, ErrorCodeSpec>;

export const ownAccountErrorCodes = {
  reauthentication_required: {
    kind: "forbidden",
    meaning:
      "The caller's sign-in is too old for this operation: send the password or a code of the " +
      "second factor in the body, or sign in again.",
  },
  wrong_password: {
    kind: "forbidden",
    meaning: "The password is wrong. The caller's session stays valid.",
  },
  wrong_code: {
    kind: "forbidden",
    meaning:
      "The code of the second factor is wrong or was already used. The caller's session stays " +
      "valid.",
  },
  own_account: {
    kind: "forbidden",
    meaning:
      "The operation is not allowed on the caller's own account. `error` names the operation to " +
      "use instead, or says that another staff member must do this.",
  },
} as const satisfies Record<string, ErrorCodeSpec>;
