import type { Statement } from "./statement.ts";

export const authentication: readonly Statement[] = [
  {
    says: "Two credentials are accepted on session routes: an httpOnly session cookie and a bearer access token.",
    deviation:
      "A third credential, the API token of a bot, is accepted on the routes that its scopes name.",
    reason: "API tokens are an addition: nobody has one until an administrator makes it.",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > answers the user and sets the session cookie",
      "auth/mobile.test.ts > an access token > is accepted only as a bearer token, where a refresh token is rejected",
      "auth/api-tokens.test.ts > every route > %s admits a token with the scope of the route, and answers 403 to other tokens",
    ],
  },
  {
    says: "Both are JWTs carrying a per-session id (`jti`) and issue time (`iat`).",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > signs a session token with its own type, audience and lifetime, and without a role",
      "auth/mobile.test.ts > POST /auth/mobile/login > answers a pair of tokens and the user, and sets no cookie",
    ],
  },
  {
    says: "`requireAuth` loads the fresh user row on every request.",
    shownBy: [
      "auth/login.test.ts > a session > has the current role of its user",
      "auth/login.test.ts > a session > ends when its user is disabled or deleted, or when all of the user's sessions are revoked",
    ],
  },
  {
    says: "`requireAuth` rejects with 401 a token that is revoked by id (logout).",
    shownBy: [
      "auth/login.test.ts > POST /auth/logout > ends the caller's session in every process, and no other session",
    ],
  },
  {
    says: "`requireAuth` rejects a token whose `iat` is at or before the user's `tokens_valid_after` (the comparison is inclusive).",
    deviation:
      "A token carries the generation of its user's credentials (`gen`). Each cutoff raises the number of the user, and a token passes only with the equal number. `iat` is carried and not compared.",
    reason:
      "Times in whole seconds let a token pass, or end a new one, that is issued in the second of the cutoff; numbers do not depend on clocks.",
    shownBy: [
      "auth/generations.test.ts > a credential > is valid by its generation number alone, whatever its issue time",
      "auth/tokens.test.ts > a signed token > is rejected without a valid generation number",
      "auth/generations.test.ts > a credential > is invalidated if an older release moves tokens_valid_after forward",
    ],
  },
  {
    says: "A password change or `invalidateSessions` sets the cutoff to now; rotating the password hash always does.",
    deviation: "The cutoff is the next generation of the user's credentials, not a time.",
    reason: "See the comparison of `iat`.",
    shownBy: [
      "auth/account.test.ts > PATCH /auth/me/account/password > ends all sessions and issues the caller a new one",
      "auth/account.test.ts > PATCH /auth/me/account/password > changes the password twice in quick succession, and only the last session stays valid",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > ends every session, device and trusted browser",
      "auth/mobile.test.ts > /auth/me/sessions > ends all other sessions and issues the caller a new one",
    ],
  },
  {
    says: "`requireRole` gates by role. Staff outrank players; `/player` routes require authentication only.",
    shownBy: [
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
      "http/gates.test.ts > a route for administrators and other roles > %s accepts the role %s",
      "shard/own-reads.test.ts > a list for the caller > contains, for %s under the player path, only the caller's own accounts",
    ],
  },
  {
    says: "Local login: failure always yields one generic message (no user-or-password disclosure).",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > fails with the same answer for every cause",
      "auth/equal-time.test.ts > a failed %s > takes the same bcrypt work for every cause and hash cost, after each change of the cost",
    ],
  },
  {
    says: "Login protection: progressive slow-down.",
    shownBy: [
      "auth/throttle.test.ts > a slowed address > waits longer for its answer than an address that fails for the first time",
    ],
  },
  {
    says: "Login protection: a hard rate cap.",
    shownBy: [
      "auth/throttle.test.ts > sign-ins of one address > are refused after thirty, even if all succeeded",
    ],
  },
  {
    says: "Login protection: per-IP exponential backoff that outlasts the rate window.",
    shownBy: [
      "auth/throttle.test.ts > failed sign-ins of one address > double the block each time, and start over after a quiet day",
    ],
  },
  {
    says: "Login protection: a hidden honeypot field `company` (a filled value fails generically and is scored as a bot).",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > fails with the same answer for every cause",
      "auth/bot-guard.test.ts > the bot score of an address > rises by 1 for a failed sign-in and by 10 for a filled honeypot field",
    ],
  },
  {
    says: "Bot scoring: junk scanner paths always answer 404 first regardless of score.",
    shownBy: [
      "auth/bot-guard.test.ts > an address whose bot score is too high > gets 403 for everything except the paths that scanners try, which answer 404",
      "auth/bot-guard.test.ts > a path that scanners try > gets the same answer as an unknown path",
    ],
  },
  {
    says: "Bot scoring: a per-IP score with quiet-period decay bans an IP from all routes past a low threshold.",
    deviation:
      "An address that no proxy handed on, or that is this machine's own, is never banned.",
    reason: "Such an address stands for every visitor of a site behind a proxy that is not set up.",
    shownBy: [
      "auth/bot-guard.test.ts > the bot score of an address > halves in ten quiet minutes",
      "auth/bot-guard.test.ts > an address whose bot score is too high > gets 403 for everything except the paths that scanners try, which answer 404",
      "auth/bot-guard.test.ts > the server's own address > is not banned for requests of a proxy that forwards no address",
    ],
  },
  {
    says: "Bot scoring: failed logins and honeypot hits feed the same score.",
    shownBy: [
      "auth/bot-guard.test.ts > the bot score of an address > rises by 1 for a failed sign-in and by 10 for a filled honeypot field",
    ],
  },
  {
    says: "TOTP: optional per user. After a correct password the service issues a short-lived signed challenge (stage `totp`, not a session). Completion with a correct code issues the session.",
    shownBy: [
      "auth/second-factor.test.ts > POST /auth/login of a user with a second factor > answers a challenge that is not accepted as a session",
      "auth/second-factor.test.ts > POST /auth/login/totp > rejects an expired challenge",
      "auth/second-factor.test.ts > POST /auth/login/totp > signs in with a code and a challenge in the body, the bearer token or the cookie",
    ],
  },
  {
    says: "SSO follows the same gate: a staged token with kind `sso_totp`, carried in a short-lived httpOnly `sso_totp` cookie, is completed at `POST /auth/sso/totp`.",
    deviation: "Where the site is https the cookie is called `__Host-sso_totp`.",
    reason: "The prefix makes browsers refuse the cookie from subdomains and over http.",
    shownBy: [
      "auth/sso.test.ts > POST /auth/sso/totp > completes the sign-in of a user with a second factor, who has no session before",
      "auth/sso.test.ts > POST /auth/sso/totp > rejects the challenge of a password sign-in, and other routes reject the challenge of a provider's sign-in",
      "auth/sso-cookies.test.ts > the cookies of a sign-in at a provider on an https site > have the prefix __Host- and the attribute Secure at each step",
    ],
  },
  {
    says: "Failures of the second factor feed backoff and bot scoring.",
    shownBy: [
      "auth/throttle.test.ts > sign-ins of one address > share one count across web, app and second factor",
      "auth/bot-guard.test.ts > the bot score of an address > rises by 1 for a wrong code, refresh token or link, and by 0.5 for malformed JSON",
    ],
  },
  {
    says: "Trusted device (opt-in): a trusted device skips the TOTP step (never the password) for 30 days.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > skips the second factor of its user, but never the password",
      "auth/second-factor.test.ts > a trusted device > is not trusted after its expiry",
    ],
  },
  {
    says: "A server-side row holds the sha256 hash of the token; the token travels in an httpOnly trust cookie.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > skips the second factor of its user, but never the password",
      "auth/canaries.test.ts > passwords, tokens and codes > appear in no log, job queue, table or mailed URL",
    ],
  },
  {
    says: "The name of the trust cookie carries the site abbreviation.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is recognized by a cookie whose name begins with SITE_ABBREVIATION",
    ],
  },
  {
    says: "The trust cookie survives logout and is revoked on untrust, password change, reset and TOTP disable.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > survives a log-out and is listed with a browser label",
      "auth/second-factor.test.ts > a trusted device > needs the second factor again once its trust is revoked, alone or together with all other devices",
      "auth/account.test.ts > PATCH /auth/me/account/password > forgets all trusted devices and keeps the second factor enabled",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > ends every session, device and trusted browser",
      "auth/account.test.ts > POST /auth/me/account/totp/disable > accepts a code, and ends other sessions, recovery codes and trusted devices",
    ],
  },
  {
    says: "A trust request over the cap of 10 returns 409 `trustLimitReached` and never prunes silently.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the limit without using up the code, which then works without trusting the browser",
      "auth/sso.test.ts > POST /auth/sso/totp > answers 409 for an eleventh trusted browser, and then accepts the code without trust",
    ],
  },
  {
    says: "Recovery codes are single-use bcrypt-hashed fallbacks accepted by `login/totp` and mobile login.",
    deviation: "`POST /auth/sso/totp` accepts them too.",
    reason: "A user whose account has no password could not sign in without the lost device.",
    shownBy: [
      "auth/second-factor.test.ts > a recovery code > signs in once, in any case, with spaces for dashes and with look-alike letters",
      "auth/second-factor.test.ts > a recovery code > is stored as a bcrypt hash",
      "auth/mobile.test.ts > POST /auth/mobile/login > requires the second factor of an enrolled user in the same request",
      "auth/sso-second-factor.test.ts > POST /auth/sso/totp > accepts a recovery code once, and mails the user",
    ],
  },
  {
    says: "Admins may list and revoke a user's trusted devices and reset MFA; all such actions are audit-logged.",
    shownBy: [
      "site/user-mfa.test.ts > a user's trusted devices > can be revoked one by one, which is logged and makes the browser need a code",
      "site/user-mfa.test.ts > POST /admin/users/:id/mfa/reset > removes the second factor, its codes, the trusted devices and the sessions, and keeps the password",
      "auth/activity-record.test.ts > the activity log > contains every action of an administrator on a user, with the administrator's id",
    ],
  },
  {
    says: "Mobile bearer: `/auth/mobile/login` returns a short-lived access token and a long-lived refresh token stored hashed.",
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/login > answers a pair of tokens and the user, and sets no cookie",
      "auth/mobile.test.ts > POST /auth/mobile/login > stores no refresh token in plain text",
      "auth/mobile.test.ts > POST /auth/mobile/login > begins device sessions that end after 180 days, with tokens that end after 30 days",
    ],
  },
  {
    says: "The refresh token is rotated on each use (single use).",
    deviation:
      "A repetition within `REFRESH_GRACE` (10 s) gets the same successor. The successor is stored sealed for that time.",
    reason: "An app that lost the answer of a refresh would be signed out.",
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers the same new refresh token to a repeated request, with a new access token",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > stores the next token encrypted, until its use or the end of the grace period",
      "auth/mobile.test.ts > POST /auth/mobile/refresh > ends the device session in all processes if a used token is sent after the grace period (R91)",
    ],
  },
  {
    says: "Each login or refresh creates a fresh row whose `last_used_at` is seeded to now; the device label is carried forward.",
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/refresh > answers a new token pair, and the device keeps its id, name and sign-in time",
    ],
  },
  {
    says: "SSO: link-only by policy; a sign-in succeeds only for an already linked identity and external identities are never auto-provisioned.",
    shownBy: [
      "auth/sso.test.ts > a sign-in at a provider > is rejected for an account that is not linked, and creates no user (R84)",
    ],
  },
  {
    says: "Provider flows use PKCE and CSRF transaction state.",
    shownBy: [
      "auth/sso.test.ts > GET /auth/sso/:provider/start > sends the browser to the provider with a new state, nonce and PKCE challenge each time",
      "auth/sso.test.ts > a sign-in at a provider > can be finished only by the browser that began it (R80, R92)",
    ],
  },
  {
    says: "Client secrets are encrypted at rest (AES-256-GCM).",
    shownBy: [
      "auth/providers.test.ts > POST /admin/auth/providers > adds a provider, checks it at once and never shows its secret (R104)",
      "ops/rotate-secrets.test.ts > npm run secrets:rotate > encrypts every secret with the first key, so that the old key can be removed",
      "auth/providers.test.ts > POST /admin/auth/providers > stores the secret encrypted with AES-256-GCM and bound to this provider",
    ],
  },
  {
    says: "The mobile bridge keeps the same policy and gate; its redirect allowlist is a deployment setting with one fixed custom-scheme callback by default.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > reports a declined, unlinked or disabled sign-in to the app",
      "auth/sso.test.ts > the app's sign-in at a provider > asks for the second factor in the browser, does not trust the browser, and returns to the app",
      "auth/sso.test.ts > the app's sign-in at a provider > is rejected unless its redirect address equals a configured one (R89)",
    ],
  },
  {
    says: "Shard feature access uses the audience ladder `anonymous` < `logged_in` < `player` < `staff` < `admin`.",
    shownBy: [
      "shard/market.test.ts > the market's visibility > admits callers at or above the access level of the audience, for each audience",
    ],
  },
  {
    says: "A stream subscriber's rung is resolved once at subscribe time and frozen for the connection.",
    deviation:
      "A rung never rises on an open stream. The session behind the stream is looked up again every `SSE_RECHECK` (30 s), and the stream ends when the session ended or the user lost the role.",
    reason:
      "A stream that outlives a ban or a lost role would show what its user may no longer read.",
    shownBy: [
      "shard/stream.test.ts > GET /public/shard/stream > keeps the access level that the caller had when the stream opened",
      "shard/stream-connections.test.ts > the session behind an event stream > ends the stream at the periodic check if the user %s without a notification",
    ],
  },
  {
    says: "Fields `acct` and `webId` are always admin-only.",
    shownBy: [
      "shard/canary.test.ts > data that only admins may see > is shown by no public route and on no public stream, whatever the visibility rules are",
      "shard/visibility.test.ts > maySeeField > shows account fields only to admins",
    ],
  },
  {
    says: "Proxy trust: a configured setting pins the trusted forwarding peer; a blanket `true` is coerced to 1 so forwarded-address spoofing cannot dodge IP controls.",
    shownBy: [
      "http/forwarded.test.ts > the origin address of a request > is the address that the last of the trusted hops wrote, or the peer",
      "auth/bot-guard.test.ts > the server's own address > is not banned if TRUST_PROXY is true, because the guard bans the last address in X-Forwarded-For",
      "auth/throttle.test.ts > the counts of rate limits > use the real address despite a forged X-Forwarded-For",
    ],
  },
  {
    says: "Push relay endpoints must be HTTPS, non-private and on the configured origin allow-set, enforced at registration and at every publish.",
    shownBy: [
      "push/devices.test.ts > POST /auth/me/devices > refuses the endpoint %s",
      "push/devices.test.ts > POST /auth/me/devices > refuses a relay whose name resolves to %s, alone or together with a public address",
      "push/delivery.test.ts > a push relay > gets no connection at any address that the registration of devices refuses",
      "push/delivery.test.ts > a push relay > gets no message once the site no longer allows the relay",
    ],
  },
];
