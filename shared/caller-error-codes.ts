import type { CodeSpec } from "./code-spec.ts";

/** The part of the catalog of error codes for invalid requests, and for callers who may not do something. */
export const callerErrorCodes = {
  invalid_request: {
    kind: "invalid",
    meaning:
      "Fields of the request contradict each other, a sign-in request is malformed, or push " +
      "messages are off.",
  },
  validation_failed: {
    kind: "invalid",
    meaning: "Parameters or fields are not valid. `errors` lists each fault.",
  },
  malformed_request: { kind: "invalid", meaning: "The request is not valid HTTP." },
  malformed_path: { kind: "invalid", meaning: "The path contains a broken percent-encoding." },
  malformed_body: { kind: "invalid", meaning: "The body is not a valid JSON object." },
  invalid_link_code: { kind: "invalid", meaning: "The link code is unknown, used or expired." },
  shard_refused_request: {
    kind: "invalid",
    meaning: "The game server rejected a field of the request.",
  },

  invalid_grant: {
    kind: "invalid",
    meaning: "The sign-in code is unknown, used or expired, or does not match the verifier.",
  },
  sso_ended: {
    kind: "invalid",
    meaning: "The sign-in at a provider is finished or expired, or began in another browser.",
  },
  redirect_not_allowed: {
    kind: "invalid",
    meaning: "`redirect_uri` is not one of the addresses configured for the app.",
  },

  not_authenticated: {
    kind: "unauthenticated",
    meaning: "The request has no valid session: refresh the tokens or sign in.",
  },
  invalid_credentials: { kind: "unauthenticated", meaning: "The sign-in failed." },
  code_required: {
    kind: "unauthenticated",
    meaning: "The password is correct. Send the same request with a code of the second factor.",
  },
  invalid_code: {
    kind: "unauthenticated",
    meaning: "The code of the second factor was refused, or the challenge is no longer valid.",
  },
  invalid_refresh_token: {
    kind: "unauthenticated",
    meaning: "The refresh token is not valid: sign in.",
  },
  refresh_token_overtaken: {
    kind: "unauthenticated",
    meaning:
      "The refresh token and its successor were both used a moment ago. The device session is " +
      "valid: continue with the latest token pair.",
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
      "The site requires a second factor for staff: set one up at `POST " +
      "/auth/me/account/totp/setup`.",
  },
  feature_locked: {
    kind: "forbidden",
    meaning: "Only a higher audience has access. Signing in may help.",
  },
  registration_closed: { kind: "forbidden", meaning: "Registration is turned off on the site." },
  signup_unavailable: {
    kind: "forbidden",
    meaning: "Game accounts cannot be created on the site at present.",
  },
  account_not_linked: {
    kind: "forbidden",
    meaning: "The game account or character is not linked to the caller.",
  },
  protected_target: {
    kind: "forbidden",
    meaning:
      "The game server does not allow changes to this account (such as that of its staff) or file.",
  },
  write_plane_disabled: {
    kind: "forbidden",
    meaning: "The game server does not accept changes from the site.",
  },

  appeals_disabled: { kind: "forbidden", meaning: "The site does not accept appeals at present." },
  party_to_appeal: {
    kind: "forbidden",
    meaning:
      "The caller opened the appeal, has linked the game account, or issued the ban and is not " +
      "an administrator: another staff member must decide.",
  },
} as const satisfies Record<string, CodeSpec>;
