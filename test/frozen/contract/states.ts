import type { Statement } from "./statement.ts";

/** The contract's statements on states and transitions. */
export const states: readonly Statement[] = [
  {
    says: "Event definition states: `draft`, `ready`, `archived`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events > lists the events of a state, the last changed first",
      "events/publishing.test.ts > POST /admin/events/:id/publish > creates a numbered version each time, and the runs up to the horizon",
      "events/publishing.test.ts > DELETE /admin/events/:id > archives the event, cancels its scheduled runs, and changes nothing the second time",
    ],
  },
  {
    says: "none → `POST /admin/events` with a valid definition; audit `event.definition.created`.",
    shownBy: ["events/authoring.test.ts > POST /admin/events > creates a draft with all defaults"],
  },
  {
    says: "any editable → `PUT /admin/events/:id` with a valid definition; audit `event.definition.updated`.",
    shownBy: [
      "events/authoring.test.ts > PUT /admin/events/:id > changes the given fields, and clears the nullable fields that are null",
      "events/activity.test.ts > the activity log > has one entry for each change under /admin/events, with the user, the action and the target",
    ],
  },
  {
    says: "editable → `POST /admin/events/:id/publish` by an admin: new version number and version id; audit `event.definition.published`.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > creates a numbered version each time, and the runs up to the horizon",
      "events/publishing.test.ts > POST /admin/events/:id/publish > answers 403 to an editor, and 409 for an archived event",
    ],
  },
  {
    says: "Publish: already-materialised occurrences are re-pinned to the new version and the count is returned as `repinned`.",
    deviation:
      "Occurrences that the new schedule no longer gives are cancelled and not counted; runs that a person created are kept.",
    reason:
      "A run of the former schedule would take place at a time that the published event does not name.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > moves runs to the new version, and cancels runs that it no longer schedules unless a person created them",
    ],
  },
  {
    says: "any → `DELETE /admin/events/:id` → `archived`; archive only, never a hard delete; audit `event.definition.archived`.",
    shownBy: [
      "events/publishing.test.ts > DELETE /admin/events/:id > archives the event, cancels its scheduled runs, and changes nothing the second time",
    ],
  },
  {
    says: "any → `POST /admin/events/:id/verify`: state unchanged; dry run against caps and enablement; records `verified_at` and `verified_by` on the version it checked.",
    deviation: "Only a dry run without errors is recorded.",
    reason:
      "A version with errors must not count as verified, since scheduled starts rest on the record.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/verify > records that a published version has no errors, until the next publication",
      "events/publishing.test.ts > POST /admin/events/:id/verify > reports every problem that a run would have",
    ],
  },
  {
    says: "A scheduled start requires a passed verification of the published version. A manual start-now does not.",
    shownBy: [
      "events/engine.test.ts > the start of a run > needs a verified version if the run is scheduled, but not if a person starts it now",
    ],
  },
  {
    says: "Event run: none → `POST /admin/events/:id/runs` with valid scope and schedule → `scheduled`; idempotent: an existing occurrence returns `created: false` with 200; else 201.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > creates one run per occurrence for thirty simultaneous requests at two processes",
      "events/publishing.test.ts > POST /admin/events/:id/runs > answers the run that the schedule created",
    ],
  },
  {
    says: "Run `health` includes the value `degraded`, set when an action is refused by authorization, with its own log kind.",
    deviation:
      "`health` is also `degraded` after a refused budget and after any step that ends failed.",
    reason: "Staff look at `health` for whether a run went as it was written.",
    shownBy: [
      "events/engine.test.ts > the rights of a run > are checked at each step, whose action must be enabled and allowed for the role of the starter",
      "events/engine.test.ts > the rights of a run > end when the budget of the run is spent, and each step is charged once",
    ],
  },
  {
    says: "Cleanup status values and cleanup transitions are not offered.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
    ],
  },
  {
    says: "A step in status `running` without a lease is parked, waiting on a human.",
    shownBy: [
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
    ],
  },
  {
    says: "Confirm, skip and retry apply to steps.",
    shownBy: [
      "events/engine.test.ts > a person > must confirm a step before its effect if the step asks for it",
      "events/engine.test.ts > a person > can skip a failed step, and the run stays paused until it is resumed",
      "events/engine.test.ts > a person > can retry a failed step under its key, and the retry resumes the run that the failure paused",
    ],
  },
  {
    says: "A refusal by authorization follows the step's `onFailure` and sets run health to `degraded`.",
    shownBy: [
      "events/engine.test.ts > the rights of a run > are checked at each step, whose action must be enabled and allowed for the role of the starter",
    ],
  },
  {
    says: "current atlas → `POST /admin/shard/atlas/import`, where the refresh would remove a facet → staged, `pending`; not applied.",
    shownBy: [
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > is staged for review and not applied",
    ],
  },
  {
    says: "pending → `POST /admin/shard/atlas/approve` → applied; tree re-parsed at approval time, facet loss included.",
    deviation:
      "Where the tree of the approval would lose other facets than those that were shown, the refresh is staged again.",
    reason: "An administrator approves the loss that was shown, and no other.",
    shownBy: [
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > is applied on approval, after the tree was read again",
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > needs another review if it would lose another facet when it is approved",
    ],
  },
  {
    says: "pending → `POST /admin/shard/atlas/reject`, where something is awaiting review → `rejected`; the decision is remembered against those source hashes; changing the tree asks again.",
    shownBy: [
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > stays rejected until the tree changes",
    ],
  },
  {
    says: "none pending → reject: 404.",
    shownBy: [
      "imports/atlas.test.ts > an atlas refresh that would lose a facet > cannot be approved or rejected while no refresh is staged",
    ],
  },
  {
    says: "Mobile SSO bridge: `/start` seeds a bridge session; the callback mints a single-use, hash-stored, PKCE-bound code.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > gives the app its tokens for a code from the browser (R90, R93)",
      "auth/canaries.test.ts > passwords, tokens and codes > appear in no log, job queue, table or mailed URL",
    ],
  },
  {
    says: "`/exchange` verifies PKCE before consuming the code, then consumes it once and issues the mobile token pair.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > rejects a code with a wrong verifier, and then accepts it with the right one (R86, R87)",
      "auth/sso.test.ts > the app's sign-in at a provider > gives tokens to one of thirty simultaneous exchanges",
    ],
  },
  {
    says: "Mobile SSO bridge: rows are short-lived and self-pruning.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > answers invalid_grant if the code expired or its link, provider or user is not valid (R93)",
      "auth/prune-credentials.test.ts > the pruning of credentials > deletes expired rows of every kind and keeps the others",
    ],
  },
  {
    says: "Password reset: a token is single use; confirming rotates the password hash and revokes every web and mobile session; it does not log in.",
    shownBy: [
      "auth/link-races.test.ts > a reset link in simultaneous requests > sets the password of exactly one request",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > ends every session, device and trusted browser",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > sets the password and opens no session",
    ],
  },
  {
    says: "Invite: single use; accept is atomic; if the acceptance loses a race the created user is rolled back.",
    shownBy: [
      "auth/link-races.test.ts > one invitation in thirty simultaneous requests > creates one account, with the invitation's role",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > works once, and then answers 404",
    ],
  },
  {
    says: "Web session: valid until expiry, a per-session logout (token id denylist) or a per-user cutoff (`tokens_valid_after`).",
    deviation: "The cutoff is the generation of the user's credentials.",
    reason: "See the authentication section.",
    shownBy: [
      "auth/login.test.ts > a session > ends after SESSION_TTL",
      "auth/login.test.ts > POST /auth/logout > ends the caller's session in every process, and no other session",
      "auth/login.test.ts > a session > ends when its user is disabled or deleted, or when all of the user's sessions are revoked",
    ],
  },
  {
    says: "Configuration write (survival module): recorded as reloading with a settle-by time.",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > is sent with the secrets restored, and ends with the outcome that its plugin reports",
    ],
  },
  {
    says: "A plugin outcome event settles it by server and `writeId`, only while still reloading.",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > is sent with the secrets restored, and ends with the outcome that its plugin reports",
      "survival/config-editor.test.ts > a configuration write > ignores an outcome of another server or with an unknown id",
    ],
  },
  {
    says: "A row past its settle-by time reads as lost.",
    deviation: "`lost` is final. An outcome that comes later stands aside in `lateOutcome`.",
    reason: "A write that was told to be lost may have been followed by another one.",
    shownBy: [
      "survival/config-editor.test.ts > a configuration write > stays lost if no outcome arrives in time, and a late outcome is stored separately",
    ],
  },
];
