import type { Statement } from "./statement.ts";

/** What the contract says of states and transitions. */
export const states: readonly Statement[] = [
  {
    says: "Event definition states: `draft`, `ready`, `archived`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events > lists those of a state, the one changed last first",
      "events/publishing.test.ts > POST /admin/events/:id/publish > makes versions with numbers, and runs up to the horizon",
      "events/publishing.test.ts > DELETE /admin/events/:id > archives, cancels runs that wait, and changes nothing the second time",
    ],
  },
  {
    says: "none → `POST /admin/events` with a valid definition; audit `event.definition.created`.",
    shownBy: ["events/authoring.test.ts > POST /admin/events > makes a draft with every default"],
  },
  {
    says: "any editable → `PUT /admin/events/:id` with a valid definition; audit `event.definition.updated`.",
    shownBy: [
      "events/authoring.test.ts > PUT /admin/events/:id > changes what is named, and clears what may be null",
      "events/activity.test.ts > the activity log > has one line for each thing that a person does under /admin/events, and says who, what and to which",
    ],
  },
  {
    says: "editable → `POST /admin/events/:id/publish` by an admin: new version number and version id; audit `event.definition.published`.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > makes versions with numbers, and runs up to the horizon",
      "events/publishing.test.ts > POST /admin/events/:id/publish > is for administrators, and no more once the event is archived",
    ],
  },
  {
    says: "Publish: already-materialised occurrences are re-pinned to the new version and the count is returned as `repinned`.",
    deviation:
      "Occurrences that the new schedule no longer gives are cancelled and not counted; runs that a person created are kept.",
    reason:
      "A run of the former schedule would take place at a time that the published event does not name.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > moves runs, cancels those that the new schedule gives no longer, and keeps a person's",
    ],
  },
  {
    says: "any → `DELETE /admin/events/:id` → `archived`; archive only, never a hard delete; audit `event.definition.archived`.",
    shownBy: [
      "events/publishing.test.ts > DELETE /admin/events/:id > archives, cancels runs that wait, and changes nothing the second time",
    ],
  },
  {
    says: "any → `POST /admin/events/:id/verify`: state unchanged; dry run against caps and enablement; records `verified_at` and `verified_by` on the version it checked.",
    deviation: "Only a dry run without errors is recorded.",
    reason:
      "A version with errors must not count as verified, since scheduled starts rest on the record.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/verify > records a published version without errors, and publishing clears that",
      "events/publishing.test.ts > POST /admin/events/:id/verify > finds what would go wrong",
    ],
  },
  {
    says: "A scheduled start requires a passed verification of the published version. A manual start-now does not.",
    shownBy: [
      "events/engine.test.ts > the start of a run > needs a verified version, but for one that a person starts now",
    ],
  },
  {
    says: "Event run: none → `POST /admin/events/:id/runs` with valid scope and schedule → `scheduled`; idempotent: an existing occurrence returns `created: false` with 200; else 201.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > makes one run of an occurrence, however often and from wherever it is asked",
      "events/publishing.test.ts > POST /admin/events/:id/runs > finds the run that the schedule made",
    ],
  },
  {
    says: "Run `health` includes the value `degraded`, set when an action is refused by authorization, with its own log kind.",
    deviation:
      "`health` is also `degraded` after a refused budget and after any step that ends failed.",
    reason: "Staff look at `health` for whether a run went as it was written.",
    shownBy: [
      "events/engine.test.ts > what a run may do > is looked up when it acts: the switchboard and the role of who started it",
      "events/engine.test.ts > what a run may do > ends with its budget, which a run spends once a step",
    ],
  },
  {
    says: "Cleanup status values and cleanup transitions are not offered.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the frozen ${set} routes",
    ],
  },
  {
    says: "A step in status `running` without a lease is parked, waiting on a human.",
    shownBy: [
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
    ],
  },
  {
    says: "Confirm, skip and retry apply to steps.",
    shownBy: [
      "events/engine.test.ts > a person > is asked before the effect of a step, which comes once it was confirmed",
      "events/engine.test.ts > a person > skips a failed step, and the run stays paused until it is resumed",
      "events/engine.test.ts > a person > tries a failed step again under its key, and the run that it paused goes on",
    ],
  },
  {
    says: "A refusal by authorization follows the step's `onFailure` and sets run health to `degraded`.",
    shownBy: [
      "events/engine.test.ts > what a run may do > is looked up when it acts: the switchboard and the role of who started it",
    ],
  },
  {
    says: "current atlas → `POST /admin/shard/atlas/import`, where the refresh would remove a facet → staged, `pending`; not applied.",
    shownBy: [
      "imports/atlas.test.ts > a refresh that would lose a facet > is staged and not applied",
    ],
  },
  {
    says: "pending → `POST /admin/shard/atlas/approve` → applied; tree re-parsed at approval time, facet loss included.",
    deviation:
      "Where the tree of the approval would lose other facets than those that were shown, the refresh is staged again.",
    reason: "An administrator approves the loss that was shown, and no other.",
    shownBy: [
      "imports/atlas.test.ts > a refresh that would lose a facet > is applied when it is approved, the tree parsed anew",
      "imports/atlas.test.ts > a refresh that would lose a facet > is reviewed again when it would lose another facet by the time of its approval",
    ],
  },
  {
    says: "pending → `POST /admin/shard/atlas/reject`, where something is awaiting review → `rejected`; the decision is remembered against those source hashes; changing the tree asks again.",
    shownBy: [
      "imports/atlas.test.ts > a refresh that would lose a facet > is remembered when it is rejected, until the tree changes",
    ],
  },
  {
    says: "none pending → reject: 404.",
    shownBy: [
      "imports/atlas.test.ts > a refresh that would lose a facet > has nothing to approve or reject when none is staged",
    ],
  },
  {
    says: "Mobile SSO bridge: `/start` seeds a bridge session; the callback mints a single-use, hash-stored, PKCE-bound code.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > goes through the system's browser, and the app gets its tokens for the code (R90, R93)",
      "auth/canaries.test.ts > what people are let in by > stands in no log, no queue, no table and no mailed address",
    ],
  },
  {
    says: "`/exchange` verifies PKCE before consuming the code, then consumes it once and issues the mobile token pair.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > refuses a code without its verifier, and keeps it good for the right one (R86, R87)",
      "auth/sso.test.ts > the app's sign-in at a provider > gives tokens to one of thirty exchanges at once",
    ],
  },
  {
    says: "Mobile SSO bridge: rows are short-lived and self-pruning.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > is refused in the same words when the code is too old, or its ground is gone (R93)",
      "auth/prune-credentials.test.ts > the pruning of credentials > deletes what has ended and nothing that lives",
    ],
  },
  {
    says: "Password reset: a token is single use; confirming rotates the password hash and revokes every web and mobile session; it does not log in.",
    shownBy: [
      "auth/link-races.test.ts > one reset link in many requests > sets the password that its winner asked for",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > ends every session, device and trusted browser",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > sets the password and signs nobody in",
    ],
  },
  {
    says: "Invite: single use; accept is atomic; if the acceptance loses a race the created user is rolled back.",
    shownBy: [
      "auth/link-races.test.ts > one invitation in many requests > makes one account, of the role it is for",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > works once",
    ],
  },
  {
    says: "Web session: valid until expiry, a per-session logout (token id denylist) or a per-user cutoff (`tokens_valid_after`).",
    deviation: "The cutoff is the generation of the user's credentials.",
    reason: "See the authentication section.",
    shownBy: [
      "auth/login.test.ts > a session > ends when it is as old as it may get",
      "auth/login.test.ts > POST /auth/logout > ends this session in every process, and no other",
      "auth/login.test.ts > a session > ends with its user: cut off, disabled, deleted",
    ],
  },
  {
    says: "Configuration write (survival module): recorded as reloading with a settle-by time.",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > goes out with the secrets of the file, and settles by what its plugin tells",
    ],
  },
  {
    says: "A plugin outcome event settles it by server and `writeId`, only while still reloading.",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > goes out with the secrets of the file, and settles by what its plugin tells",
      "survival/config-editor.test.ts > a configuration write > is not touched by an outcome of another server, or of no write",
    ],
  },
  {
    says: "A row past its settle-by time reads as lost.",
    deviation: "`lost` is final. An outcome that comes later stands aside in `lateOutcome`.",
    reason: "A write that was told to be lost may have been followed by another one.",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > of which nothing is told is lost by its time, for good, and what comes late stands aside",
    ],
  },
];
