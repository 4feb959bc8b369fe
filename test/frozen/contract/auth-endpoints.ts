import type { Statement } from "./statement.ts";

/** The contract's statements on endpoints under `/auth`. */
export const authEndpoints: readonly Statement[] = [
  {
    says: "`POST /auth/login`: anonymous; credentials and a hidden honeypot field `company`, which must be empty; session on success; one generic failure message otherwise.",
    routes: ["POST /auth/login"],
    shownBy: [
      "auth/login.test.ts > POST /auth/login > answers the user and sets the session cookie",
      "auth/login.test.ts > POST /auth/login > fails with the same answer for every cause",
      "auth/login.test.ts > POST /auth/login > accepts an empty honeypot field",
    ],
  },
  {
    says: "`POST /auth/login`: a TOTP challenge when TOTP is enabled and no trusted-device token matches.",
    shownBy: [
      "auth/second-factor.test.ts > POST /auth/login of a user with a second factor > answers a challenge that is not accepted as a session",
      "auth/second-factor.test.ts > a trusted device > skips the second factor of its user, but never the password",
    ],
  },
  {
    says: "`POST /auth/login/totp`: challenge holder; `code`, optional `trustDevice` boolean, optional `recoveryCode` string; session.",
    routes: ["POST /auth/login/totp"],
    shownBy: [
      "auth/second-factor.test.ts > POST /auth/login/totp > signs in with a code and a challenge in the body, the bearer token or the cookie",
      "auth/second-factor.test.ts > POST /auth/login/totp > rejects a malformed request and uses up no code, challenge or try",
      "auth/second-factor.test.ts > a recovery code > signs in once, in any case, with spaces for dashes and with look-alike letters",
    ],
  },
  {
    says: "`POST /auth/login/totp`: 409 with `trustLimitReached` when trust is requested over the cap.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the limit without using up the code, which then works without trusting the browser",
    ],
  },
  {
    says: "`POST /auth/register`: anonymous, subject to a registration gate; the route exists (one route).",
    routes: ["POST /auth/register"],
    shownBy: [
      "auth/login.test.ts > POST /auth/register > answers 403 until administrators open registration",
      "auth/login.test.ts > POST /auth/register > creates a player and signs them in, and ignores other fields such as the role",
    ],
  },
  {
    says: "`POST /auth/logout`: best-effort session; revokes this session's token id if present; a no-op for anonymous callers.",
    routes: ["POST /auth/logout"],
    shownBy: [
      "auth/login.test.ts > POST /auth/logout > ends the caller's session in every process, and no other session",
      "auth/login.test.ts > POST /auth/logout > answers 200 and does nothing without a valid session",
    ],
  },
  {
    says: "`GET /auth/me`: Auth; the current user (no-index header).",
    routes: ["GET /auth/me"],
    shownBy: [
      "auth/invites.test.ts > POST /auth/invite/:token/accept > creates the account and signs the user in even if registration is closed",
      "auth/login.test.ts > a session > makes all answers private, also errors, so that search engines and shared caches do not store them",
    ],
  },
  {
    says: "`GET /auth/providers`: anonymous; array of Provider.",
    routes: ["GET /auth/providers"],
    shownBy: [
      "auth/providers.test.ts > POST /admin/auth/providers > adds a provider, checks it at once and never shows its secret (R104)",
    ],
  },
  {
    says: "SSO start, link and callback (`/auth/sso/*`): start anonymous; redirect flow with PKCE and CSRF state; 302 to the identity provider.",
    routes: [
      "GET /auth/sso/:provider/start",
      "POST /auth/sso/:provider/link",
      "GET /auth/sso/:provider/callback",
    ],
    shownBy: [
      "auth/sso.test.ts > GET /auth/sso/:provider/start > sends the browser to the provider with a new state, nonce and PKCE challenge each time",
      "auth/sso.test.ts > a sign-in at a provider > can be finished only by the browser that began it (R80, R92)",
      "auth/sso.test.ts > POST /auth/sso/:provider/link > links only at the signed-in user's own request, and lists the link (R92)",
    ],
  },
  {
    says: "SSO start, link and callback: 502 on provider failure.",
    shownBy: [
      "auth/sso-hostile.test.ts > an ID token > %s leads to 502, and the process keeps serving",
      "auth/sso-hostile.test.ts > an access token > %s leads to 502",
    ],
  },
  {
    says: "`POST /auth/sso/totp`: challenge cookie; `code`; SafeUser and a session.",
    routes: ["POST /auth/sso/totp"],
    shownBy: [
      "auth/sso.test.ts > POST /auth/sso/totp > completes the sign-in of a user with a second factor, who has no session before",
    ],
  },
  {
    says: "`POST /auth/mobile/login`: anonymous; credentials, single-request TOTP, optional `device_name`; MobileTokenResponse.",
    routes: ["POST /auth/mobile/login"],
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/login > answers a pair of tokens and the user, and sets no cookie",
      "auth/mobile.test.ts > POST /auth/mobile/login > requires the second factor of an enrolled user in the same request",
    ],
  },
  {
    says: "`POST /auth/mobile/refresh`: refresh token; new MobileTokenResponse; the old refresh token is consumed.",
    deviation:
      "A refresh token that comes again within `REFRESH_GRACE` (10 s) of its use, before its successor is used, is answered with the same successor.",
    reason:
      "An app that lost the answer of a refresh would be signed out; a late repetition still ends the device session.",
    routes: ["POST /auth/mobile/refresh"],
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers a new token pair, and the device keeps its id, name and sign-in time",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers the same new refresh token to a repeated request, with a new access token",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers refresh_token_overtaken to the old token once the next is used, and the device stays signed in",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > ends the device session in all processes if a used token is sent after the grace period (R91)",
    ],
  },
  {
    says: "`POST /auth/mobile/logout`: refresh token; revokes it.",
    routes: ["POST /auth/mobile/logout"],
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/logout > ends the device session, and answers 200 to any token",
    ],
  },
  {
    says: "`GET /auth/mobile/sso/start`: anonymous; query `redirect_uri` (exact allowlist match, never prefix) plus provider, state and PKCE challenge; 302 to the provider.",
    routes: ["GET /auth/mobile/sso/start"],
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > is rejected unless its redirect address equals a configured one (R89)",
      "auth/sso.test.ts > the app's sign-in at a provider > is rejected without the method S256 and a challenge of 43 characters (R86)",
    ],
  },
  {
    says: "`POST /auth/mobile/sso/exchange`: anonymous; code, PKCE verifier, optional `device_name`; MobileTokenResponse (same pair as mobile login).",
    routes: ["POST /auth/mobile/sso/exchange"],
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > gives the app its tokens for a code from the browser (R90, R93)",
    ],
  },
  {
    says: "`POST /auth/password/forgot`: anonymous; the account e-mail; always a generic 200; every account matching the e-mail is mailed its own link.",
    deviation: "A body whose `email` is missing or no string is 400.",
    reason: "Such a request names no address, so the refusal tells nothing of accounts.",
    routes: ["POST /auth/password/forgot"],
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/forgot > gives the same answer for an unknown address, a disabled user and an invalid address",
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails a separate link for each account of an address",
      "auth/password-reset.test.ts > POST /auth/password/forgot > rejects an address that is not a string",
    ],
  },
  {
    says: "`GET /auth/password/reset/:token`: anonymous; checks the token.",
    routes: ["GET /auth/password/reset/:token"],
    shownBy: [
      "auth/password-reset.test.ts > GET /auth/password/reset/:token > does not use up the link",
      "auth/password-reset.test.ts > GET /auth/password/reset/:token > answers 404 to an unknown or malformed token, and so does the route that uses the link",
    ],
  },
  {
    says: "`POST /auth/password/reset/:token`: anonymous; new password; rotates hash, revokes all sessions; also serves SSO-only accounts as their first password.",
    routes: ["POST /auth/password/reset/:token"],
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > ends every session, device and trusted browser",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > sets a first password for a user without a password",
    ],
  },
  {
    says: "`GET /auth/invite/:token`: anonymous; invite details.",
    routes: ["GET /auth/invite/:token"],
    shownBy: [
      "auth/invites.test.ts > POST /admin/invites > mails a link that opens the invitation",
    ],
  },
  {
    says: "`POST /auth/invite/:token/accept`: anonymous; account details; creates the user at the invite's role and logs in, bypassing the registration gate.",
    routes: ["POST /auth/invite/:token/accept"],
    shownBy: [
      "auth/invites.test.ts > POST /auth/invite/:token/accept > creates the account and signs the user in even if registration is closed",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > gives the invitation's role and ignores a role in the body",
    ],
  },
  {
    says: "`GET /auth/me/account`: AccountStatus.",
    routes: ["GET /auth/me/account"],
    shownBy: [
      "auth/account.test.ts > GET /auth/me/account > answers the caller's account, and 401 without a session",
    ],
  },
  {
    says: "`PATCH /auth/me/account/username`: change username.",
    routes: ["PATCH /auth/me/account/username"],
    shownBy: [
      "auth/account.test.ts > PATCH /auth/me/account/username > changes the name, keeps sessions valid and frees the old name",
    ],
  },
  {
    says: "`PATCH /auth/me/account/password`: change password; revokes the caller's older tokens.",
    routes: ["PATCH /auth/me/account/password"],
    shownBy: [
      "auth/account.test.ts > PATCH /auth/me/account/password > ends all sessions and issues the caller a new one",
    ],
  },
  {
    says: "`POST /auth/me/account/totp/setup`: TotpSetup.",
    routes: ["POST /auth/me/account/totp/setup"],
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/setup > answers the secret, the otpauth URL and a QR code",
    ],
  },
  {
    says: "`POST /auth/me/account/totp/enable`: enable with a code.",
    routes: ["POST /auth/me/account/totp/enable"],
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/enable > enables the second factor, answers ten recovery codes and keeps sessions valid",
    ],
  },
  {
    says: "`POST /auth/me/account/totp/disable`: code-gated.",
    routes: ["POST /auth/me/account/totp/disable"],
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/disable > requires a correct code even after a fresh sign-in",
      "auth/account.test.ts > POST /auth/me/account/totp/disable > accepts a code, and ends other sessions, recovery codes and trusted devices",
    ],
  },
  {
    says: "`GET /auth/me/account/identities`: array of LinkedIdentity.",
    routes: ["GET /auth/me/account/identities"],
    shownBy: [
      "auth/account.test.ts > /auth/me/account/identities > lists the caller's linked identities",
    ],
  },
  {
    says: "`DELETE /auth/me/account/identities/:provider`: `{ unlinked }`.",
    routes: ["DELETE /auth/me/account/identities/:provider"],
    shownBy: [
      "auth/account.test.ts > /auth/me/account/identities > unlinks an identity, and answers 404 for one that the caller does not have",
    ],
  },
  {
    says: "`GET /auth/me/sessions`: array of DeviceSession.",
    routes: ["GET /auth/me/sessions"],
    shownBy: [
      "auth/mobile.test.ts > /auth/me/sessions > lists the active devices, without tokens or hashes",
    ],
  },
  {
    says: "`DELETE /auth/me/sessions/:id`: ownership-scoped, idempotent.",
    routes: ["DELETE /auth/me/sessions/:id"],
    shownBy: [
      "auth/mobile.test.ts > /auth/me/sessions > ends one device of the caller, and answers deleted: false for any other id",
    ],
  },
  {
    says: "`POST /auth/me/devices`, `GET /auth/me/devices`: register / list push endpoints.",
    routes: ["POST /auth/me/devices", "GET /auth/me/devices"],
    shownBy: [
      "push/devices.test.ts > POST /auth/me/devices > registers a browser's subscription, and shows neither its keys nor the whole endpoint",
      "push/devices.test.ts > POST /auth/me/devices > registers one endpoint of two users as two devices, one for each user",
    ],
  },
  {
    says: "`DELETE /auth/me/devices/:id`: remove a push endpoint.",
    routes: ["DELETE /auth/me/devices/:id"],
    shownBy: [
      "push/devices.test.ts > DELETE /auth/me/devices/:id > removes a device once, and gives the same answer for another user's device and an unknown one",
    ],
  },
  {
    says: "`GET /auth/me/notifications/streams`: stream catalog.",
    routes: ["GET /auth/me/notifications/streams"],
    shownBy: [
      "push/devices.test.ts > GET /auth/me/notifications/streams > lists public and personal streams, and the key that devices subscribe with",
    ],
  },
  {
    says: "`GET /auth/me/notifications/subscriptions`, `PUT /auth/me/notifications/subscriptions`: the caller's opted-in streams.",
    routes: [
      "GET /auth/me/notifications/subscriptions",
      "PUT /auth/me/notifications/subscriptions",
    ],
    shownBy: [
      "push/devices.test.ts > /auth/me/notifications/subscriptions > starts empty, and answers each stream once in the catalog's order",
    ],
  },
  {
    says: "`/auth/me/trusted-devices*`: list, revoke.",
    routes: [
      "GET /auth/me/trusted-devices",
      "DELETE /auth/me/trusted-devices/:id",
      "DELETE /auth/me/trusted-devices",
    ],
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > survives a log-out and is listed with a browser label",
      "auth/second-factor.test.ts > a trusted device > needs the second factor again once its trust is revoked, alone or together with all other devices",
    ],
  },
  {
    says: "`/auth/me/recovery-codes*`: list, create and regenerate.",
    deviation: "The list answers how many codes remain, and never a code.",
    reason: "Codes are stored as hashes and shown once, when they are made.",
    routes: [
      "GET /auth/me/recovery-codes",
      "POST /auth/me/recovery-codes",
      "POST /auth/me/recovery-codes/regenerate",
    ],
    shownBy: [
      "auth/second-factor.test.ts > a recovery code > signs in once, in any case, with spaces for dashes and with look-alike letters",
      "auth/second-factor.test.ts > /auth/me/recovery-codes > creates a first set only if none exists",
      "auth/second-factor.test.ts > /auth/me/recovery-codes > replaces all former recovery codes",
    ],
  },
  {
    says: "The legacy `/player/account/*` and `/admin/account/*` routes remain for web compatibility.",
    routes: [
      "GET /player/account",
      "GET /player/account/identities",
      "DELETE /player/account/identities/:provider",
      "PATCH /player/account/password",
      "POST /player/account/totp/disable",
      "POST /player/account/totp/enable",
      "POST /player/account/totp/setup",
      "PATCH /player/account/username",
      "GET /admin/account",
      "GET /admin/account/identities",
      "DELETE /admin/account/identities/:provider",
      "PATCH /admin/account/password",
      "POST /admin/account/totp/disable",
      "POST /admin/account/totp/enable",
      "POST /admin/account/totp/setup",
      "PATCH /admin/account/username",
    ],
    shownBy: [
      "auth/account.test.ts > the legacy account paths > %s answers like the new path and names the new path in the Link header",
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
    ],
  },
];
