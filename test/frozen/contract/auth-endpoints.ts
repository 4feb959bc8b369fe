import type { Statement } from "./statement.ts";

/** What the contract says of the endpoints under `/auth`. */
export const authEndpoints: readonly Statement[] = [
  {
    says: "`POST /auth/login`: anonymous; credentials and a hidden honeypot field `company`, which must be empty; session on success; one generic failure message otherwise.",
    routes: ["POST /auth/login"],
    shownBy: [
      "auth/login.test.ts > POST /auth/login > answers the user and sets the session cookie",
      "auth/login.test.ts > POST /auth/login > fails in the same bytes whatever is wrong",
      "auth/login.test.ts > POST /auth/login > lets an empty hidden field pass",
    ],
  },
  {
    says: "`POST /auth/login`: a TOTP challenge when TOTP is enabled and no trusted-device token matches.",
    shownBy: [
      "auth/second-factor.test.ts > POST /auth/login of a user with a second factor > answers a challenge that is no session",
      "auth/second-factor.test.ts > a trusted device > skips the second factor of its user, and never the password",
    ],
  },
  {
    says: "`POST /auth/login/totp`: challenge holder; `code`, optional `trustDevice` boolean, optional `recoveryCode` string; session.",
    routes: ["POST /auth/login/totp"],
    shownBy: [
      "auth/second-factor.test.ts > POST /auth/login/totp > signs in with a code, the challenge in the body, as a bearer token or by its cookie",
      "auth/second-factor.test.ts > POST /auth/login/totp > refuses what is no answer without using anything up",
      "auth/second-factor.test.ts > a recovery code > signs in once, however it is written",
    ],
  },
  {
    says: "`POST /auth/login/totp`: 409 with `trustLimitReached` when trust is requested over the cap.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the cap with nothing used up, so that the same may be sent without it",
    ],
  },
  {
    says: "`POST /auth/register`: anonymous, subject to a registration gate; the route exists (one route).",
    routes: ["POST /auth/register"],
    shownBy: [
      "auth/login.test.ts > POST /auth/register > is closed until administrators open it, whatever is sent",
      "auth/login.test.ts > POST /auth/register > makes a player and signs them in, whatever else is asked for",
    ],
  },
  {
    says: "`POST /auth/logout`: best-effort session; revokes this session's token id if present; a no-op for anonymous callers.",
    routes: ["POST /auth/logout"],
    shownBy: [
      "auth/login.test.ts > POST /auth/logout > ends this session in every process, and no other",
      "auth/login.test.ts > POST /auth/logout > does nothing for whoever is not signed in",
    ],
  },
  {
    says: "`GET /auth/me`: Auth; the current user (no-index header).",
    routes: ["GET /auth/me"],
    shownBy: [
      "auth/invites.test.ts > POST /auth/invite/:token/accept > makes the account and signs it in, though registration is closed",
      "auth/login.test.ts > a session > is hidden from search engines and shared caches, refusals and unknown paths too",
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
      "auth/sso.test.ts > GET /auth/sso/:provider/start > sends the browser to the provider with state, nonce and PKCE, each anew",
      "auth/sso.test.ts > a sign-in at a provider > is ended by the browser that began it alone (R80, R92)",
      "auth/sso.test.ts > POST /auth/sso/:provider/link > links by the signed-in user's own request alone, and tells of it (R92)",
    ],
  },
  {
    says: "SSO start, link and callback: 502 on provider failure.",
    shownBy: [
      "auth/sso-hostile.test.ts > an ID token > %s ends in 502, and the process serves on",
      "auth/sso-hostile.test.ts > an access token > %s ends in 502",
    ],
  },
  {
    says: "`POST /auth/sso/totp`: challenge cookie; `code`; SafeUser and a session.",
    routes: ["POST /auth/sso/totp"],
    shownBy: [
      "auth/sso.test.ts > POST /auth/sso/totp > completes a sign-in whose user has a second factor, and no session stands before",
    ],
  },
  {
    says: "`POST /auth/mobile/login`: anonymous; credentials, single-request TOTP, optional `device_name`; MobileTokenResponse.",
    routes: ["POST /auth/mobile/login"],
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/login > answers a pair of tokens and the user, and sets no cookie",
      "auth/mobile.test.ts > POST /auth/mobile/login > asks a user with a second factor for it, and takes it in the same request",
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
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers the next pair; the device keeps its number, name and day of sign-in",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers the same successor to a token sent again, and a new access token",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > refuses a used token by a code of its own once its successor is used; the device lives on",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > ends the device session when a used token comes back late, everywhere at once (R91)",
    ],
  },
  {
    says: "`POST /auth/mobile/logout`: refresh token; revokes it.",
    routes: ["POST /auth/mobile/logout"],
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/logout > ends the device session, and answers the same to any token",
    ],
  },
  {
    says: "`GET /auth/mobile/sso/start`: anonymous; query `redirect_uri` (exact allowlist match, never prefix) plus provider, state and PKCE challenge; 302 to the provider.",
    routes: ["GET /auth/mobile/sso/start"],
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > begins at the configured addresses alone, each compared as a whole (R89)",
      "auth/sso.test.ts > the app's sign-in at a provider > begins with S256 and a challenge of 43 characters alone (R86)",
    ],
  },
  {
    says: "`POST /auth/mobile/sso/exchange`: anonymous; code, PKCE verifier, optional `device_name`; MobileTokenResponse (same pair as mobile login).",
    routes: ["POST /auth/mobile/sso/exchange"],
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > goes through the system's browser, and the app gets its tokens for the code (R90, R93)",
    ],
  },
  {
    says: "`POST /auth/password/forgot`: anonymous; the account e-mail; always a generic 200; every account matching the e-mail is mailed its own link.",
    deviation: "A body whose `email` is missing or no string is 400.",
    reason: "Such a request names no address, so the refusal tells nothing of accounts.",
    routes: ["POST /auth/password/forgot"],
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/forgot > answers alike for nobody, a disabled user, and what is no address",
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails every account of an address a link of its own",
      "auth/password-reset.test.ts > POST /auth/password/forgot > refuses what is no text",
    ],
  },
  {
    says: "`GET /auth/password/reset/:token`: anonymous; checks the token.",
    routes: ["GET /auth/password/reset/:token"],
    shownBy: [
      "auth/password-reset.test.ts > GET /auth/password/reset/:token > uses nothing up",
      "auth/password-reset.test.ts > GET /auth/password/reset/:token > answers 404 to a token that is none",
    ],
  },
  {
    says: "`POST /auth/password/reset/:token`: anonymous; new password; rotates hash, revokes all sessions; also serves SSO-only accounts as their first password.",
    routes: ["POST /auth/password/reset/:token"],
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > ends every session, device and trusted browser",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > gives a user without a password their first one",
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
      "auth/invites.test.ts > POST /auth/invite/:token/accept > makes the account and signs it in, though registration is closed",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > gives the role of the invitation and no other",
    ],
  },
  {
    says: "`GET /auth/me/account`: AccountStatus.",
    routes: ["GET /auth/me/account"],
    shownBy: [
      "auth/account.test.ts > GET /auth/me/account > answers the account, and 401 to nobody",
    ],
  },
  {
    says: "`PATCH /auth/me/account/username`: change username.",
    routes: ["PATCH /auth/me/account/username"],
    shownBy: [
      "auth/account.test.ts > PATCH /auth/me/account/username > gives another name; sessions live on and the old name is free",
    ],
  },
  {
    says: "`PATCH /auth/me/account/password`: change password; revokes the caller's older tokens.",
    routes: ["PATCH /auth/me/account/password"],
    shownBy: [
      "auth/account.test.ts > PATCH /auth/me/account/password > ends every session but the caller's own, which is issued anew",
    ],
  },
  {
    says: "`POST /auth/me/account/totp/setup`: TotpSetup.",
    routes: ["POST /auth/me/account/totp/setup"],
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/setup > answers what an authenticator app needs",
    ],
  },
  {
    says: "`POST /auth/me/account/totp/enable`: enable with a code.",
    routes: ["POST /auth/me/account/totp/enable"],
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/enable > turns the second factor on and shows the recovery codes once; sessions live on",
    ],
  },
  {
    says: "`POST /auth/me/account/totp/disable`: code-gated.",
    routes: ["POST /auth/me/account/totp/disable"],
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/disable > is refused without a right code, however fresh the sign-in",
      "auth/account.test.ts > POST /auth/me/account/totp/disable > takes a code; other sessions, codes and trust end",
    ],
  },
  {
    says: "`GET /auth/me/account/identities`: array of LinkedIdentity.",
    routes: ["GET /auth/me/account/identities"],
    shownBy: ["auth/account.test.ts > /auth/me/account/identities > lists the caller's own"],
  },
  {
    says: "`DELETE /auth/me/account/identities/:provider`: `{ unlinked }`.",
    routes: ["DELETE /auth/me/account/identities/:provider"],
    shownBy: [
      "auth/account.test.ts > /auth/me/account/identities > unlinks one; an unknown one and another's are 404",
    ],
  },
  {
    says: "`GET /auth/me/sessions`: array of DeviceSession.",
    routes: ["GET /auth/me/sessions"],
    shownBy: [
      "auth/mobile.test.ts > /auth/me/sessions > lists the devices that live, without a token or hash",
    ],
  },
  {
    says: "`DELETE /auth/me/sessions/:id`: ownership-scoped, idempotent.",
    routes: ["DELETE /auth/me/sessions/:id"],
    shownBy: [
      "auth/mobile.test.ts > /auth/me/sessions > ends one of the caller's own, once, and answers alike for another's and for none",
    ],
  },
  {
    says: "`POST /auth/me/devices`, `GET /auth/me/devices`: register / list push endpoints.",
    routes: ["POST /auth/me/devices", "GET /auth/me/devices"],
    shownBy: [
      "push/devices.test.ts > POST /auth/me/devices > registers what a browser's subscription says, and shows neither keys nor the whole endpoint",
      "push/devices.test.ts > POST /auth/me/devices > makes one endpoint of two users two devices, each its owner's",
    ],
  },
  {
    says: "`DELETE /auth/me/devices/:id`: remove a push endpoint.",
    routes: ["DELETE /auth/me/devices/:id"],
    shownBy: [
      "push/devices.test.ts > DELETE /auth/me/devices/:id > removes a device once, and answers alike for another's and for none",
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
      "push/devices.test.ts > /auth/me/notifications/subscriptions > begins empty, and answers in the catalogue's order, each stream once",
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
      "auth/second-factor.test.ts > a trusted device > survives logging out and is listed under a name",
      "auth/second-factor.test.ts > a trusted device > is trusted no more once taken back, one or all",
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
      "auth/second-factor.test.ts > a recovery code > signs in once, however it is written",
      "auth/second-factor.test.ts > /auth/me/recovery-codes > makes a first set only where there is none",
      "auth/second-factor.test.ts > /auth/me/recovery-codes > replaces the set as a whole",
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
      "auth/account.test.ts > the legacy account paths > %s answers like the new one and names it",
      "http/manifest.test.ts > the route manifest > serves exactly the frozen ${set} routes",
    ],
  },
];
