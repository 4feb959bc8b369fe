import type { Statement } from "./statement.ts";

/** What the contract says of authentication. */
export const authentication: readonly Statement[] = [
  {
    says: "Two credentials are accepted on session routes: an httpOnly session cookie and a bearer access token.",
    deviation:
      "A third credential, the API token of a bot, is accepted on the routes that its scopes name.",
    reason: "API tokens are an addition: nobody has one until an administrator makes it.",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > answers the user and sets the session cookie",
      "auth/mobile.test.ts > an access token > is taken as a bearer token alone, and nothing else in its place",
      "auth/api-tokens.test.ts > every route > %s is opened by its scope, and by no other",
    ],
  },
  {
    says: "Both are JWTs carrying a per-session id (`jti`) and issue time (`iat`).",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > signs a session with its own type, audience and life, and no role",
      "auth/mobile.test.ts > POST /auth/mobile/login > answers a pair of tokens and the user, and sets no cookie",
    ],
  },
  {
    says: "`requireAuth` loads the fresh user row on every request.",
    shownBy: [
      "auth/login.test.ts > a session > has the role its user has now",
      "auth/login.test.ts > a session > ends with its user: cut off, disabled, deleted",
    ],
  },
  {
    says: "`requireAuth` rejects with 401 a token that is revoked by id (logout).",
    shownBy: [
      "auth/login.test.ts > POST /auth/logout > ends this session in every process, and no other",
    ],
  },
  {
    says: "`requireAuth` rejects a token whose `iat` is at or before the user's `tokens_valid_after` (the comparison is inclusive).",
    deviation:
      "A token carries the generation of its user's credentials (`gen`). Each cutoff raises the number of the user, and a token passes only with the equal number. `iat` is carried and not compared.",
    reason:
      "Times in whole seconds let a token pass, or end a new one, that is issued in the second of the cutoff; numbers do not depend on clocks.",
    shownBy: [
      "auth/generations.test.ts > a credential > is told by its number alone, whatever a clock says",
      "auth/tokens.test.ts > a signed token > is refused without the number of its user's credentials",
      "auth/generations.test.ts > a credential > is cut by a release before this one, which goes by time",
    ],
  },
  {
    says: "A password change or `invalidateSessions` sets the cutoff to now; rotating the password hash always does.",
    deviation: "The cutoff is the next generation of the user's credentials, not a time.",
    reason: "See the comparison of `iat`.",
    shownBy: [
      "auth/account.test.ts > PATCH /auth/me/account/password > ends every session but the caller's own, which is issued anew",
      "auth/account.test.ts > PATCH /auth/me/account/password > works twice within one second",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > ends every session, device and trusted browser",
      "auth/mobile.test.ts > /auth/me/sessions > ends all but the caller's own, which is issued anew",
    ],
  },
  {
    says: "`requireRole` gates by role. Staff outrank players; `/player` routes require authentication only.",
    shownBy: [
      "http/gates.test.ts > a route behind roles > %s answers 403 to every other role",
      "http/gates.test.ts > a route behind roles that others than administrators have > %s lets %s in",
      "shard/own-reads.test.ts > what the lists tell > of accounts to %s on the path of players: their own",
    ],
  },
  {
    says: "Local login: failure always yields one generic message (no user-or-password disclosure).",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > fails in the same bytes whatever is wrong",
      "auth/equal-time.test.ts > a failed %s > is the same work whatever was wrong and whatever the hash costs, after each change of the cost",
    ],
  },
  {
    says: "Login protection: progressive slow-down.",
    shownBy: [
      "auth/throttle.test.ts > a slowed address > waits longer for its answer than one that fails for the first time",
    ],
  },
  {
    says: "Login protection: a hard rate cap.",
    shownBy: [
      "auth/throttle.test.ts > sign-ins of one address > are refused after thirty, though all were right",
    ],
  },
  {
    says: "Login protection: per-IP exponential backoff that outlasts the rate window.",
    shownBy: [
      "auth/throttle.test.ts > failed sign-ins of one address > block twice as long each time, and as at first after a quiet day",
    ],
  },
  {
    says: "Login protection: a hidden honeypot field `company` (a filled value fails generically and is scored as a bot).",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > fails in the same bytes whatever is wrong",
      "auth/bot-guard.test.ts > a score > counts a failed sign-in as one and a filled trap as ten",
    ],
  },
  {
    says: "Bot scoring: junk scanner paths always answer 404 first regardless of score.",
    shownBy: [
      "auth/bot-guard.test.ts > an address whose score is too high > is shut out of everything but the answer to junk",
      "auth/bot-guard.test.ts > a path that scanners try > is answered byte for byte as any unknown path",
    ],
  },
  {
    says: "Bot scoring: a per-IP score with quiet-period decay bans an IP from all routes past a low threshold.",
    deviation:
      "An address that no proxy handed on, or that is this machine's own, is never banned.",
    reason: "Such an address stands for every visitor of a site behind a proxy that is not set up.",
    shownBy: [
      "auth/bot-guard.test.ts > a score > halves in ten quiet minutes",
      "auth/bot-guard.test.ts > an address whose score is too high > is shut out of everything but the answer to junk",
      "auth/bot-guard.test.ts > an address of our own > is not banned: a proxy that handed on no address",
    ],
  },
  {
    says: "Bot scoring: failed logins and honeypot hits feed the same score.",
    shownBy: [
      "auth/bot-guard.test.ts > a score > counts a failed sign-in as one and a filled trap as ten",
    ],
  },
  {
    says: "TOTP: optional per user. After a correct password the service issues a short-lived signed challenge (stage `totp`, not a session). Completion with a correct code issues the session.",
    shownBy: [
      "auth/second-factor.test.ts > POST /auth/login of a user with a second factor > answers a challenge that is no session",
      "auth/second-factor.test.ts > POST /auth/login/totp > refuses a challenge that is too old",
      "auth/second-factor.test.ts > POST /auth/login/totp > signs in with a code, the challenge in the body, as a bearer token or by its cookie",
    ],
  },
  {
    says: "SSO follows the same gate: a staged token with kind `sso_totp`, carried in a short-lived httpOnly `sso_totp` cookie, is completed at `POST /auth/sso/totp`.",
    deviation: "Where the site is https the cookie is called `__Host-sso_totp`.",
    reason: "The prefix makes browsers refuse the cookie from subdomains and over http.",
    shownBy: [
      "auth/sso.test.ts > POST /auth/sso/totp > completes a sign-in whose user has a second factor, and no session stands before",
      "auth/sso.test.ts > POST /auth/sso/totp > is no password's challenge, and a password's challenge is none of its own",
      "auth/sso-cookies.test.ts > the cookies of a sign-in at a provider, where the site is https > are for this host and https alone, at each step",
    ],
  },
  {
    says: "Failures of the second factor feed backoff and bot scoring.",
    shownBy: [
      "auth/throttle.test.ts > sign-ins of one address > are one count on the web, on the app and at the second factor",
      "auth/bot-guard.test.ts > a score > counts wrong codes, refresh tokens and links as one, malformed JSON as a half",
    ],
  },
  {
    says: "Trusted device (opt-in): a trusted device skips the TOTP step (never the password) for 30 days.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > skips the second factor of its user, and never the password",
      "auth/second-factor.test.ts > a trusted device > is none after its thirty days",
    ],
  },
  {
    says: "A server-side row holds the sha256 hash of the token; the token travels in an httpOnly trust cookie.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > skips the second factor of its user, and never the password",
      "auth/canaries.test.ts > what people are let in by > stands in no log, no queue, no table and no mailed address",
    ],
  },
  {
    says: "The name of the trust cookie carries the site abbreviation.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is known by a cookie whose name begins with the abbreviation of the site",
    ],
  },
  {
    says: "The trust cookie survives logout and is revoked on untrust, password change, reset and TOTP disable.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > survives logging out and is listed under a name",
      "auth/second-factor.test.ts > a trusted device > is trusted no more once taken back, one or all",
      "auth/account.test.ts > PATCH /auth/me/account/password > takes trust from every device and leaves the second factor on",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > ends every session, device and trusted browser",
      "auth/account.test.ts > POST /auth/me/account/totp/disable > takes a code; other sessions, codes and trust end",
    ],
  },
  {
    says: "A trust request over the cap of 10 returns 409 `trustLimitReached` and never prunes silently.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the cap with nothing used up, so that the same may be sent without it",
      "auth/sso.test.ts > POST /auth/sso/totp > trusts no eleventh browser, and leaves the sign-in open to go on without (trustLimitReached)",
    ],
  },
  {
    says: "Recovery codes are single-use bcrypt-hashed fallbacks accepted by `login/totp` and mobile login.",
    deviation: "`POST /auth/sso/totp` accepts them too.",
    reason: "A user whose account has no password could not sign in without the lost device.",
    shownBy: [
      "auth/second-factor.test.ts > a recovery code > signs in once, however it is written",
      "auth/second-factor.test.ts > a recovery code > is stored slowly hashed",
      "auth/mobile.test.ts > POST /auth/mobile/login > asks a user with a second factor for it, and takes it in the same request",
      "auth/sso-second-factor.test.ts > POST /auth/sso/totp > takes a recovery code, once, and the user is told",
    ],
  },
  {
    says: "Admins may list and revoke a user's trusted devices and reset MFA; all such actions are audit-logged.",
    shownBy: [
      "site/user-mfa.test.ts > a user's trusted devices > are taken back one by one; the browser needs a code again, and it is on record",
      "site/user-mfa.test.ts > POST /admin/users/:id/mfa/reset > takes factor, codes, trusted devices and sessions; the password still signs in",
      "auth/on-record.test.ts > the activity log > holds all an administrator does to a user, and who it was",
    ],
  },
  {
    says: "Mobile bearer: `/auth/mobile/login` returns a short-lived access token and a long-lived refresh token stored hashed.",
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/login > answers a pair of tokens and the user, and sets no cookie",
      "auth/mobile.test.ts > POST /auth/mobile/login > stores of the refresh token its hash alone",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > begins families that end after 180 days and tokens that end after 30",
    ],
  },
  {
    says: "The refresh token is rotated on each use (single use).",
    deviation:
      "A repetition within `REFRESH_GRACE` (10 s) gets the same successor. The successor is stored sealed for that time.",
    reason: "An app that lost the answer of a refresh would be signed out.",
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers the same successor to a token sent again, and a new access token",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > stores a successor that the database alone cannot read, until its use or the end of the grace",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > ends the device session when a used token comes back late, everywhere at once (R91)",
    ],
  },
  {
    says: "Each login or refresh creates a fresh row whose `last_used_at` is seeded to now; the device label is carried forward.",
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers the next pair; the device keeps its number, name and day of sign-in",
    ],
  },
  {
    says: "SSO: link-only by policy; a sign-in succeeds only for an already linked identity and external identities are never auto-provisioned.",
    shownBy: [
      "auth/sso.test.ts > a sign-in at a provider > makes no account and compares no address of mail: an account that is not linked is refused (R84)",
    ],
  },
  {
    says: "Provider flows use PKCE and CSRF transaction state.",
    shownBy: [
      "auth/sso.test.ts > GET /auth/sso/:provider/start > sends the browser to the provider with state, nonce and PKCE, each anew",
      "auth/sso.test.ts > a sign-in at a provider > is ended by the browser that began it alone (R80, R92)",
    ],
  },
  {
    says: "Client secrets are encrypted at rest (AES-256-GCM).",
    shownBy: [
      "auth/providers.test.ts > POST /admin/auth/providers > adds a provider, checks it at once and never shows its secret (R104)",
      "ops/rotate-secrets.test.ts > npm run secrets:rotate > encrypts every secret under the first key, so that the old one can be dropped",
      "auth/providers.test.ts > POST /admin/auth/providers > stores the secret encrypted by AES-256-GCM, for this provider alone",
    ],
  },
  {
    says: "The mobile bridge keeps the same policy and gate; its redirect allowlist is a deployment setting with one fixed custom-scheme callback by default.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > tells the app of what was declined, is not linked or was switched off",
      "auth/sso.test.ts > the app's sign-in at a provider > asks for the second factor in the browser, trusts nothing there, and goes back to the app",
      "auth/sso.test.ts > the app's sign-in at a provider > begins at the configured addresses alone, each compared as a whole (R89)",
    ],
  },
  {
    says: "Shard feature access uses the audience ladder `anonymous` < `logged_in` < `player` < `staff` < `admin`.",
    shownBy: [
      "shard/market.test.ts > the market's visibility > lets in whoever stands at the audience or above, at each rung",
    ],
  },
  {
    says: "A stream subscriber's rung is resolved once at subscribe time and frozen for the connection.",
    deviation:
      "A rung never rises on an open stream. The session behind the stream is looked up again every `SSE_RECHECK` (30 s), and the stream ends when the session ended or the user lost the role.",
    reason:
      "A stream that outlives a ban or a lost role would show what its user may no longer read.",
    shownBy: [
      "shard/stream.test.ts > GET /public/shard/stream > keeps the rung of the start",
      "shard/stream-connections.test.ts > the session behind an event stream > is found dead when the user %s and nobody was told",
    ],
  },
  {
    says: "Fields `acct` and `webId` are always admin-only.",
    shownBy: [
      "shard/canary.test.ts > what is for admins alone > never leaves by a public route or the public stream, whatever the rules say",
      "shard/visibility.test.ts > maySeeField > shows account fields to admins alone",
    ],
  },
  {
    says: "Proxy trust: a configured setting pins the trusted forwarding peer; a blanket `true` is coerced to 1 so forwarded-address spoofing cannot dodge IP controls.",
    shownBy: [
      "http/forwarded.test.ts > the origin of a request > is what the last of so many trusted hops wrote, or the peer",
      "auth/bot-guard.test.ts > an address of our own > counts for the last hop where a number of hops is trusted",
      "auth/throttle.test.ts > the counts > are not dodged by a forged X-Forwarded-For",
    ],
  },
  {
    says: "Push relay endpoints must be HTTPS, non-private and on the configured origin allow-set, enforced at registration and at every publish.",
    shownBy: [
      "push/devices.test.ts > POST /auth/me/devices > refuses %s",
      "push/devices.test.ts > POST /auth/me/devices > refuses a relay whose name leads to %s, alone or beside a public address",
      "push/delivery.test.ts > a relay that is not what it was > is connected to at no address that registration would refuse, once its name leads there",
      "push/delivery.test.ts > a relay that is not what it was > is not sent to once the site allows it no more",
    ],
  },
];
