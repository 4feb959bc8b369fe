import type { Statement } from "./statement.ts";

/** The contract's statements on the endpoints of event staff. */
export const eventEndpoints: readonly Statement[] = [
  {
    says: "`GET /admin/events`: admin, editor; query `state` in `draft`, `ready`, `archived`; `{ events: [Definition] }`.",
    routes: ["GET /admin/events"],
    shownBy: [
      "events/authoring.test.ts > GET /admin/events > lists the events of a state, the last changed first",
    ],
  },
  {
    says: "`GET /admin/events/catalog`: admin, editor; actions, `risks`, `reversible`, `paramTypes`, `onFailure`, `onFailureByRisk`, `scheduleKinds`, `triggers`, `operators`, `advanceKinds`, `limits`.",
    deviation: "The catalogue also has `audiences` and `bodies`.",
    reason: "They are what survival servers register for pushes and announcements.",
    routes: ["GET /admin/events/catalog"],
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > lists the words of event specs, the actions and the triggers",
    ],
  },
  {
    says: "Catalog `triggers`: each `{ id, label, description, owner, variables [{ name, type, required, description }] }`.",
    deviation: "A trigger also has `version`; a variable of type `enum` also has `values`.",
    reason: "Trigger declarations are versioned, and conditions name values.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > lists the words of event specs, the actions and the triggers",
      "events/event-triggers.test.ts > event triggers > have version 2 in the catalog, and all other triggers have version 1",
    ],
  },
  {
    says: "Catalog `limits`: `maxPhases`, `maxStepsPerPhase`, `maxSteps`, `defaultBudgetMs`, `maxAdvanceCount`, `maxAfterSeconds`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > lists the words of event specs, the actions and the triggers",
    ],
  },
  {
    says: "`GET /admin/events/series`: admin, editor; `{ series: [Series] }`.",
    routes: ["GET /admin/events/series"],
    shownBy: [
      "events/authoring.test.ts > event series > are created, changed, listed in order, and deleted without their events",
    ],
  },
  {
    says: "`POST /admin/events/series`: admin, editor; series fields; 201 `{ series }`; errors `{ errors }`.",
    routes: ["POST /admin/events/series"],
    shownBy: [
      "events/authoring.test.ts > event series > are created, changed, listed in order, and deleted without their events",
      "events/authoring.test.ts > event series > are rejected with all errors, but an unknown series is answered 404 first",
    ],
  },
  {
    says: "`PUT /admin/events/series/:seriesId`: admin, editor; series fields; `{ series }`; 404.",
    routes: ["PUT /admin/events/series/:seriesId"],
    shownBy: [
      "events/authoring.test.ts > event series > are created, changed, listed in order, and deleted without their events",
      "events/authoring.test.ts > event series > are rejected with all errors, but an unknown series is answered 404 first",
    ],
  },
  {
    says: "`DELETE /admin/events/series/:seriesId`: admin, editor; `{ ok, detached }` (definitions lose their series).",
    routes: ["DELETE /admin/events/series/:seriesId"],
    shownBy: [
      "events/authoring.test.ts > event series > are created, changed, listed in order, and deleted without their events",
    ],
  },
  {
    says: "`GET /admin/events/calendar`: admin, editor; query `from`, `to` (UTC instants, both supplied by the caller), `status`, `scope`, `seriesId`; `{ window, horizon, horizonDays, entries, truncated }`.",
    routes: ["GET /admin/events/calendar"],
    shownBy: [
      "events/publishing.test.ts > GET /admin/events/calendar > shows runs and later occurrences, at the same wall time across a clock change",
      "events/publishing.test.ts > GET /admin/events/calendar > requires both bounds as instants, at most 366 days apart",
      "events/calendar.test.ts > the calendar of events > contains, in order, the runs that begin at or after the first bound and before the second",
    ],
  },
  {
    says: "`GET /admin/events/runs`: admin, editor; query `definitionId`, `status`, `limit`; `{ runs: [Run] }`.",
    routes: ["GET /admin/events/runs"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > creates a numbered version each time, and the runs up to the horizon",
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
    ],
  },
  {
    says: "`GET /admin/events/runs/:runId`: admin, editor; `{ run, steps, counts, gates, budget }`; gates rendered as sentences; 400 bad id; 404.",
    routes: ["GET /admin/events/runs/:runId"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > fills in parameters, copies the lowest cap of the actions of the event, and logs who created the run",
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
    ],
  },
  {
    says: "`GET /admin/events/runs/:runId/log`: admin, editor; query `limit`; `{ log: [line], kinds }`.",
    routes: ["GET /admin/events/runs/:runId/log"],
    shownBy: [
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
    ],
  },
  {
    says: "`GET /admin/events/actions`: admin; `{ actions: [...], worldChangingRisks }`.",
    routes: ["GET /admin/events/actions"],
    shownBy: [
      "events/authoring.test.ts > the settings of event actions > have actions that change the world off, and the others on, by default",
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
    ],
  },
  {
    says: "`PUT /admin/events/actions`: admin; `{ actionId, enabled boolean required, caps object mapping dimension to integer >= 0 (null or empty skipped) }`; `{ action: { id, enabled, configured, caps, updatedAt } }`.",
    routes: ["PUT /admin/events/actions"],
    shownBy: [
      "events/authoring.test.ts > the settings of event actions > are changed by administrators, where a change without caps keeps the stored caps and a change with caps replaces all of them",
    ],
  },
  {
    says: "`PUT /admin/events/actions`: 404 unknown action; 400 non-boolean `enabled`, a dimension the action does not spend, or a bad cap.",
    shownBy: [
      "events/authoring.test.ts > the settings of event actions > are refused if they are invalid, but an unknown action is answered 404 first",
    ],
  },
  {
    says: "`GET /admin/events/:id`: admin, editor; `{ event }`; 400; 404.",
    routes: ["GET /admin/events/:id"],
    shownBy: [
      "events/authoring.test.ts > POST /admin/events > creates a draft with all defaults",
      "events/authoring.test.ts > PUT /admin/events/:id > answers 400 to a malformed id and 404 to an unknown one, before it checks the body",
      "http/gates.test.ts > a route with a numeric id > %s answers 400 to an id that is not a number",
    ],
  },
  {
    says: "`GET /admin/events/:id/versions`: admin, editor; `{ versions: [Version] }`.",
    routes: ["GET /admin/events/:id/versions"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > creates a numbered version each time, and the runs up to the horizon",
    ],
  },
  {
    says: "`POST /admin/events`: admin, editor; definition fields; 201 `{ event }`.",
    routes: ["POST /admin/events"],
    shownBy: [
      "events/authoring.test.ts > POST /admin/events > creates a draft with all defaults",
      "events/authoring.test.ts > POST /admin/events > answers 403 to a moderator and 401 without a session",
    ],
  },
  {
    says: "`PUT /admin/events/:id`: admin, editor; definition fields; `{ event }`.",
    routes: ["PUT /admin/events/:id"],
    shownBy: [
      "events/authoring.test.ts > PUT /admin/events/:id > changes the given fields, and clears the nullable fields that are null",
    ],
  },
  {
    says: "`POST /admin/events/:id/publish`: admin; `{ event, version, versionId, repinned }`.",
    routes: ["POST /admin/events/:id/publish"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > creates a numbered version each time, and the runs up to the horizon",
      "events/publishing.test.ts > POST /admin/events/:id/publish > answers 403 to an editor, and 409 for an archived event",
    ],
  },
  {
    says: "`POST /admin/events/:id/verify`: admin, editor; 200 always when the request is valid: `{ target, versionId, version, recorded, report }`; findings in the report do not change the status.",
    routes: ["POST /admin/events/:id/verify"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/verify > records that a published version has no errors, until the next publication",
      "events/publishing.test.ts > POST /admin/events/:id/verify > reports every problem that a run would have",
    ],
  },
  {
    says: "`DELETE /admin/events/:id`: admin, editor; `{ event }`.",
    routes: ["DELETE /admin/events/:id"],
    shownBy: [
      "events/publishing.test.ts > DELETE /admin/events/:id > archives the event, cancels its scheduled runs, and changes nothing the second time",
    ],
  },
  {
    says: "`POST /admin/events/:id/runs`: admin, editor; `{ scope, scheduledFor, rehearsal boolean, params }`; 201 or 200 `{ run, created }`.",
    routes: ["POST /admin/events/:id/runs"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > creates one run per occurrence for thirty simultaneous requests at two processes",
      "events/publishing.test.ts > POST /admin/events/:id/runs > answers the run that the schedule created",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/pause`: admin, editor; optional `reason`; `{ run }`.",
    routes: ["POST /admin/events/runs/:runId/pause"],
    shownBy: [
      "events/engine.test.ts > a person > can pause and resume a run, and the log of the run and the activity log record the user",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/resume`: admin, editor; `{ run }`.",
    routes: ["POST /admin/events/runs/:runId/resume"],
    shownBy: [
      "events/engine.test.ts > a person > can pause and resume a run, and the log of the run and the activity log record the user",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/advance`: admin, editor; optional `reason`; `{ run, phase }`.",
    routes: ["POST /admin/events/runs/:runId/advance"],
    shownBy: [
      "events/engine.test.ts > a person > can advance a run, and its unfinished steps are skipped",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/cancel`: admin, editor; optional `reason`; `{ run, cancelledSteps }`.",
    routes: ["POST /admin/events/runs/:runId/cancel"],
    shownBy: ["events/engine.test.ts > a person > can cancel a scheduled or running run, once"],
  },
  {
    says: "`POST /admin/events/runs/:runId/steps/:stepId/confirm`: admin, editor; optional `note`; `{ step }`.",
    routes: ["POST /admin/events/runs/:runId/steps/:stepId/confirm"],
    shownBy: [
      "events/engine.test.ts > a person > can pause and resume a run, and the log of the run and the activity log record the user",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/steps/:stepId/skip`: admin, editor; optional `reason`; `{ step }`.",
    routes: ["POST /admin/events/runs/:runId/steps/:stepId/skip"],
    shownBy: [
      "events/engine.test.ts > a person > can skip a failed step, and the run stays paused until it is resumed",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/steps/:stepId/retry`: admin, editor; `{ step, run, resumed }`.",
    routes: ["POST /admin/events/runs/:runId/steps/:stepId/retry"],
    shownBy: [
      "events/engine.test.ts > a person > can retry a failed step under its key, and the retry resumes the run that the failure paused",
    ],
  },
  {
    says: "The control routes answer 400 for a bad id and a guard status (default 409) with `{ errors }` when the transition is refused.",
    shownBy: [
      "events/engine.test.ts > a person > gets 404 for an unknown run or step, and 400 or 409 for an invalid request",
      "events/engine.test.ts > a person > can pause and resume a run, and the log of the run and the activity log record the user",
    ],
  },
  {
    says: "Every control writes an audit row in both the run log and the activity log.",
    shownBy: [
      "events/engine.test.ts > a person > can pause and resume a run, and the log of the run and the activity log record the user",
      "events/activity.test.ts > the activity log > has one entry for each change under /admin/events, with the user, the action and the target",
    ],
  },
  {
    says: "Cleanup of a run is not offered.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the ${set} routes of the frozen list",
    ],
  },
];
