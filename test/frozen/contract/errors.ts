import type { Statement } from "./statement.ts";

/** What the contract says of errors. */
export const errors: readonly Statement[] = [
  {
    says: "400: validation failure; bad id.",
    shownBy: [
      "http/conventions.test.ts > the order of refusal > names every faulty field at once",
      "http/gates.test.ts > a route that names a row by a number > %s answers 400 to an id that is none",
    ],
  },
  {
    says: "400: unknown mode, feature, rung; locked field.",
    shownBy: [
      "site/settings.test.ts > PUT /admin/site-mode > refuses what is no mode",
      "shard/commands.test.ts > /admin/shardlink/signup-mode > answers 400 to the mode %p",
      "shard/public-reads.test.ts > visibility > refuses what it does not know, names it, and changes nothing",
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
      "shard/commands.test.ts > the town criers > are not given more than they can shout: %#",
    ],
  },
  {
    says: "400: malformed serial or system name.",
    shownBy: [
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers 400 for what is no serial and for a page out of bounds",
      "shard/public-reads.test.ts > the public reads of a shard that speaks > tell a malformed system from one that was never published",
    ],
  },
  {
    says: "401: not authenticated, revoked session, or bad credentials (generic).",
    deviation: "A signed-in caller who sends a wrong current password or code gets 403.",
    reason: "401 tells a client that its session is over, and it would sign its user out.",
    shownBy: [
      "http/gates.test.ts > a route behind a session > %s answers 401 to whoever is not signed in",
      "auth/login.test.ts > POST /auth/logout > ends this session in every process, and no other",
      "auth/login.test.ts > POST /auth/login > fails in the same bytes whatever is wrong",
      "auth/account.test.ts > PATCH /auth/me/account/password > needs the current password, and changes nothing without",
    ],
  },
  {
    says: "403: role missing (`Admin role required`).",
    shownBy: [
      "auth/login.test.ts > a session > has the role its user has now",
      "http/gates.test.ts > a route behind roles > %s answers 403 to every other role",
    ],
  },
  {
    says: "403: feature gated above the caller.",
    shownBy: [
      "shard/public-reads.test.ts > visibility > answers 403 to whoever stands below the audience, 404 to everyone when disabled",
    ],
  },
  {
    says: "403: protected target; write plane disabled.",
    shownBy: [
      "shard/commands.test.ts > POST /admin/shard/ban and /admin/shard/unban > refuses a protected target with 403, and logs that it was tried",
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > answers %i %s, answers %i",
    ],
  },
  {
    says: "403: game-account signup unavailable.",
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > is 403 while the site takes no sign-ups, before a field is looked at",
    ],
  },
  {
    says: "403: account not linked to the caller.",
    shownBy: [
      "shard/own-reads.test.ts > what %s tells of game accounts > lets %s read of %s alone what is theirs: %s",
    ],
  },
  {
    says: "404: unknown resource; disabled feature; nothing awaiting review.",
    shownBy: [
      "http/conventions.test.ts > the order of refusal > answers 404 to an unknown thing before it reads the body",
      "shard/public-reads.test.ts > visibility > answers 403 to whoever stands below the audience, 404 to everyone when disabled",
      "imports/atlas.test.ts > a refresh that would lose a facet > has nothing to approve or reject when none is staged",
    ],
  },
  {
    says: "404: mobile app-link file when off or no fingerprint; unknown market vendor or points system.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > takes the site's own link back while links open in the app, and the statement says so",
      "shard/market.test.ts > GET /public/shard/market/vendors/:serial > answers 404 for one that is unknown, hidden, packed up or dismissed",
      "shard/public-reads.test.ts > the public reads of a shard that speaks > tell a malformed system from one that was never published",
    ],
  },
  {
    says: "409: account name taken.",
    shownBy: [
      "shard/game-accounts.test.ts > creating a game account > is 403 while the shard takes no sign-ups from the site, 409 for a name that is taken",
      "auth/account.test.ts > PATCH /auth/me/account/username > refuses a name that is taken or that nobody may bear",
    ],
  },
  {
    says: "409: `trustLimitReached`.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the cap with nothing used up, so that the same may be sent without it",
    ],
  },
  {
    says: "409: a refused control transition (default for run controls).",
    shownBy: [
      "events/engine.test.ts > a person > pauses a run and has it go on, and both logs say who",
    ],
  },
  {
    says: "429: rate limited; per-IP game-account cap.",
    shownBy: [
      "auth/throttle.test.ts > failed sign-ins of one address > are refused after ten, whatever the password, and nobody else's are",
      "shard/game-accounts.test.ts > the cap on game accounts > is three a day for an address, and what was refused does not count",
    ],
  },
  {
    says: "500: `{ message: 'Internal Server Error' }`.",
    shownBy: [
      "http/conventions.test.ts > an answer > says nothing of the inside when the service fails",
      "auth/second-factor.test.ts > POST /auth/login/totp > gives the try back when the fault is ours",
    ],
  },
  {
    says: "502: shard or identity provider bad gateway.",
    shownBy: [
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > answers rubbish, answers 502",
      "auth/sso-hostile.test.ts > an ID token > %s ends in 502, and the process serves on",
    ],
  },
  {
    says: "503: shard unavailable (retry).",
    deviation:
      "A site in maintenance and a database that is away are 503 too, each with `Retry-After`.",
    reason: "Both pass by themselves, which is what the status says.",
    shownBy: [
      "shard/shard-faults.test.ts > every route that calls the shard, when the shard > is gone, answers 503, and works again when it is back",
      "site/settings.test.ts > PUT /admin/site-mode > in maintenance is for staff, and says so to everyone else",
      "ops/database-away.test.ts > while the database is away and the process knows it, > every request that needs it is answered 503 with Retry-After, and no connection is tried for it",
    ],
  },
  {
    says: "Body shapes in use: `{ error: string }`, `{ message: string }`, `{ errors: [...] }` (events module).",
    deviation: "A client that prefers `application/problem+json` is answered so.",
    reason: "The shape of RFC 9457 is sent only to a client that asks for it before plain JSON.",
    shownBy: [
      "http/conventions.test.ts > an answer > is problem+json for whoever prefers it, and for nobody else",
      "http/conventions.test.ts > an answer > says nothing of the inside when the service fails",
      "events/authoring.test.ts > POST /admin/events > names every fault at once, of its own fields and of the spec",
    ],
  },
  {
    says: "Login failures of any kind return the same generic message.",
    shownBy: [
      "auth/login.test.ts > POST /auth/login > fails in the same bytes whatever is wrong",
      "auth/mobile.test.ts > POST /auth/mobile/login > fails like the web, and answers one text to a body of the wrong shape",
    ],
  },
  {
    says: "`POST /auth/password/forgot` always returns a generic 200, including for unknown e-mails.",
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/forgot > answers alike for nobody, a disabled user, and what is no address",
    ],
  },
  {
    says: "Operator-visible problems of imports (shard down, asset plane off, host cannot render images, unreadable source) answer 200 with status `unavailable` and a `reason` and `code`, never 500.",
    shownBy: [
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers NO_IMAGING in the shard's own words",
      "imports/linked.test.ts > a link that gives no source > is down when the sidecar is",
      "imports/atlas.test.ts > a tree that cannot be read > answers 200 and unavailable: %s",
      "imports/clilocs.test.ts > files that cannot be read > answer 200 and unavailable: %s",
    ],
  },
  {
    says: "A shard with no link is a reported state, not an error.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that was never linked > answer what there is: nothing, and no error",
      "imports/assets.test.ts > POST /admin/shard/assets/import, when the shard cannot be read > answers DISABLED without a call while the link is off",
    ],
  },
  {
    says: "A vanished previously-loaded source or asset makes an import return `needsReview` and apply nothing until `approve` is sent.",
    shownBy: [
      "imports/clilocs.test.ts > an import from files > asks before the texts of a vanished file are lost",
      "imports/assets.test.ts > POST /admin/shard/assets/import > brings keys that are gone before an administrator, and applies nothing until approved",
    ],
  },
  {
    says: "Mobile SSO: a bad, expired or reused code, a PKCE mismatch, a disabled provider and a non-allowlisted redirect are refused.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > is refused in the same words when the code is too old, or its ground is gone (R93)",
      "auth/sso.test.ts > the app's sign-in at a provider > gives tokens once: a code that comes again ends what it gave (R88)",
      "auth/sso.test.ts > the app's sign-in at a provider > tells the app of what was declined, is not linked or was switched off",
      "auth/sso.test.ts > the app's sign-in at a provider > begins at the configured addresses alone, each compared as a whole (R89)",
    ],
  },
  {
    says: "PKCE is verified before the code is consumed.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > refuses a code without its verifier, and keeps it good for the right one (R86, R87)",
    ],
  },
  {
    says: "An action refused by authorization follows the step's `onFailure`, sets run health `degraded`, and is logged under its own kind.",
    shownBy: [
      "events/engine.test.ts > what a run may do > is looked up when it acts: the switchboard and the role of who started it",
    ],
  },
  {
    says: "A configuration write that times out is reported as lost.",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > of which nothing is told is lost by its time, for good, and what comes late stands aside",
    ],
  },
];
