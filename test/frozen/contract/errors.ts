import type { Statement } from "./statement.ts";

export const errors: readonly Statement[] = [
  {
    says: "400: validation failure; bad id.",
    shownBy: [
      "http/conventions.test.ts > the order of a request's checks > reports every invalid field at once",
      "http/gates.test.ts > a route with a numeric id > %s answers 400 to an id that is not a number",
    ],
  },
  {
    says: "400: unknown mode, feature, rung; locked field.",
    shownBy: [
      "site/settings.test.ts > PUT /admin/site-mode > refuses an unknown mode or an invalid message",
      "shard/commands.test.ts > /admin/shardlink/signup-mode > answers 400 to the mode %p",
      "shard/public-reads.test.ts > the visibility settings > are unchanged after an update with unknown settings, which the refusal names",
    ],
  },
  {
    says: "400: unknown or expired link code.",
    shownBy: [
      "shard/links.test.ts > POST /player/shard/link > answers 400 for a code that is unknown or used up",
    ],
  },
  {
    says: "400: missing token while enabling the link.",
    shownBy: [
      "shard/shardlink.test.ts > /admin/shardlink/config > cannot be switched on without token and addresses, and names what is missing",
    ],
  },
  {
    says: "400: over-cap town-crier message.",
    shownBy: [
      "shard/commands.test.ts > the town criers > refuse an entry with invalid lines or an invalid duration (case %#)",
    ],
  },
  {
    says: "400: malformed serial or system name.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers 400 for an invalid serial and for a page out of bounds",
      "shard/public-reads.test.ts > the public reads of a connected shard > answer 400 to a malformed key of a points system, and 404 to a key that was never published",
    ],
  },
  {
    says: "401: not authenticated, revoked session, or bad credentials (generic).",
    deviation: "A signed-in caller who sends a wrong current password or code gets 403.",
    reason: "401 tells a client that its session is over, and it would sign its user out.",
    shownBy: [
      "http/gates.test.ts > a route that requires a session > %s answers 401 without a session",
      "auth/login.test.ts > POST /auth/logout > ends the caller's session in every process, and no other session",
      "auth/login.test.ts > POST /auth/login > fails with the same answer for every cause",
      "auth/account.test.ts > PATCH /auth/me/account/password > requires the current password, and changes nothing if it is wrong or missing",
    ],
  },
  {
    says: "403: role missing (`Admin role required`).",
    shownBy: [
      "auth/login.test.ts > a session > has the current role of its user",
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
    ],
  },
  {
    says: "403: feature gated above the caller.",
    shownBy: [
      "shard/public-reads.test.ts > the visibility settings > make a route answer 403 to callers below the audience, and 404 to everyone if its feature is disabled",
    ],
  },
  {
    says: "403: protected target; write plane disabled.",
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > refuses a protected account with 403, and logs the attempt",
      "shard/shard-faults.test.ts > every route that calls the shard > answers the error %i %s of the shard with %i",
    ],
  },
  {
    says: "403: game-account signup unavailable.",
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > answers 403 while the site takes no sign-ups, before it validates the fields",
    ],
  },
  {
    says: "403: account not linked to the caller.",
    shownBy: [
      "shard/own-reads.test.ts > the reads of game accounts under %s > give %s the data of account %s only if permitted (permitted: %s)",
    ],
  },
  {
    says: "404: unknown resource; disabled feature; nothing awaiting review.",
    shownBy: [
      "http/conventions.test.ts > the order of a request's checks > answers 404 to an unknown object before it reads the body",
      "shard/public-reads.test.ts > the visibility settings > make a route answer 403 to callers below the audience, and 404 to everyone if its feature is disabled",
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > cannot be approved or rejected while no refresh is staged",
    ],
  },
  {
    says: "404: mobile app-link file when off or no fingerprint; unknown market vendor or points system.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > accepts the site's own https link only while app links are enabled, and assetlinks.json then lists the app",
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers 404 for a vendor that is unknown, hidden, packed up or dismissed",
      "shard/public-reads.test.ts > the public reads of a connected shard > answer 400 to a malformed key of a points system, and 404 to a key that was never published",
    ],
  },
  {
    says: "409: account name taken.",
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > answers 403 while the shard takes no sign-ups from the site, and 409 for a taken name",
      "auth/account.test.ts > PATCH /auth/me/account/username > answers 409 to a taken name and 400 to a malformed one",
    ],
  },
  {
    says: "409: `trustLimitReached`.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the limit without using up the code, which then works without trusting the browser",
    ],
  },
  {
    says: "409: a refused control transition (default for run controls).",
    shownBy: [
      "events/engine.test.ts > a person > can pause and resume a run, and the log of the run and the activity log record the user",
    ],
  },
  {
    says: "429: rate limited; per-IP game-account cap.",
    shownBy: [
      "auth/throttle.test.ts > failed sign-ins of one address > are limited to ten, after which the address cannot sign in even with the correct password",
      "shard/game-accounts.test.ts > the cap on game accounts > is three a day for an address, and refused requests do not count",
    ],
  },
  {
    says: "500: `{ message: 'Internal Server Error' }`.",
    shownBy: [
      "http/conventions.test.ts > a response > reveals no internal error message if the service fails",
      "auth/second-factor.test.ts > POST /auth/login/totp > does not count a try that ends in an internal error",
    ],
  },
  {
    says: "502: shard or identity provider bad gateway.",
    shownBy: [
      "shard/shard-faults.test.ts > every route that calls the shard > answers 502 if the shard answers garbage",
      "auth/sso-hostile.test.ts > an ID token > %s leads to 502, and the process keeps serving",
    ],
  },
  {
    says: "503: shard unavailable (retry).",
    deviation:
      "A site in maintenance and a database that is away are 503 too, each with `Retry-After`.",
    reason: "Both pass by themselves, which is what the status says.",
    shownBy: [
      "shard/shard-faults.test.ts > every route that calls the shard > answers 503 while the shard is gone, and works again when it is back",
      "site/settings.test.ts > PUT /admin/site-mode > admits only staff in maintenance mode, and answers 503 with the message to others",
      "ops/database-away.test.ts > during a known database outage > every request that needs the database is answered 503 with Retry-After and opens no connection",
    ],
  },
  {
    says: "Body shapes in use: `{ error: string }`, `{ message: string }`, `{ errors: [...] }` (events module).",
    deviation: "A client that prefers `application/problem+json` is answered so.",
    reason: "The shape of RFC 9457 is sent only to a client that asks for it before plain JSON.",
    shownBy: [
      "http/conventions.test.ts > a response > is problem+json only if the client accepts it",
      "http/conventions.test.ts > a response > reveals no internal error message if the service fails",
      "events/authoring.test.ts > POST /admin/events > reports all errors at once, in the fields and in the spec",
    ],
  },
  {
    says: "Login failures of any kind return the same generic message.",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > fails with the same answer for every cause",
      "auth/mobile.test.ts > POST /auth/mobile/login > fails like the web sign-in, and answers the same 400 to every malformed body",
    ],
  },
  {
    says: "`POST /auth/password/forgot` always returns a generic 200, including for unknown e-mails.",
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/forgot > gives the same answer for an unknown address, a disabled user and an invalid address",
    ],
  },
  {
    says: "Operator-visible problems of imports (shard down, asset plane off, host cannot render images, unreadable source) answer 200 with status `unavailable` and a `reason` and `code`, never 500.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers NO_IMAGING with the shard's own reason",
      "imports/linked.test.ts > an import over a link that cannot provide the data > answers SHARD_DOWN if the sidecar is down",
      "imports/atlas.test.ts > a server tree that cannot be read > is answered with status 200 and the result unavailable: %s",
      "imports/clilocs.test.ts > files that cannot be read > are answered with status 200 and the result unavailable: %s",
    ],
  },
  {
    says: "A shard with no link is a reported state, not an error.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that was never linked > answer empty data without an error",
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers DISABLED without a call while the link is off",
    ],
  },
  {
    says: "A vanished previously-loaded source or asset makes an import return `needsReview` and apply nothing until `approve` is sent.",
    shownBy: [
      "imports/clilocs.test.ts > an import of texts from files > asks for a review before the texts of a vanished file are lost",
      "imports/assets.test.ts > POST /admin/shard/assets/import > asks for a review when picture keys have vanished, and changes nothing until an administrator approves",
    ],
  },
  {
    says: "Mobile SSO: a bad, expired or reused code, a PKCE mismatch, a disabled provider and a non-allowlisted redirect are refused.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > answers invalid_grant if the code expired or its link, provider or user is not valid (R93)",
      "auth/sso.test.ts > the app's sign-in at a provider > gives tokens once, and revokes them if the code is reused (R88)",
      "auth/sso.test.ts > the app's sign-in at a provider > reports a declined, unlinked or disabled sign-in to the app",
      "auth/sso.test.ts > the app's sign-in at a provider > is rejected unless its redirect address equals a configured one (R89)",
    ],
  },
  {
    says: "PKCE is verified before the code is consumed.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > rejects a code with a wrong verifier, and then accepts it with the right one (R86, R87)",
    ],
  },
  {
    says: "An action refused by authorization follows the step's `onFailure`, sets run health `degraded`, and is logged under its own kind.",
    shownBy: [
      "events/engine.test.ts > the rights of a run > are checked at each step, whose action must be enabled and allowed for the role of the starter",
    ],
  },
  {
    says: "A configuration write that times out is reported as lost.",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > stays lost if no outcome arrives in time, and a late outcome is stored separately",
    ],
  },
];
