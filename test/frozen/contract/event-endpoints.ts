import type { Statement } from "./statement.ts";

/** What the contract says of the endpoints of event staff. */
export const eventEndpoints: readonly Statement[] = [
  {
    says: "`GET /admin/events`: admin, editor; query `state` in `draft`, `ready`, `archived`; `{ events: [Definition] }`.",
    routes: ["GET /admin/events"],
    shownBy: [
      "events/authoring.test.ts > GET /admin/events > lists those of a state, the one changed last first",
    ],
  },
  {
    says: "`GET /admin/events/catalog`: admin, editor; actions, `risks`, `reversible`, `paramTypes`, `onFailure`, `onFailureByRisk`, `scheduleKinds`, `triggers`, `operators`, `advanceKinds`, `limits`.",
    deviation: "The catalogue also has `audiences` and `bodies`.",
    reason: "They are what survival servers register for pushes and announcements.",
    routes: ["GET /admin/events/catalog"],
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > has the words, the actions and the triggers",
    ],
  },
  {
    says: "Catalog `triggers`: each `{ id, label, description, owner, variables [{ name, type, required, description }] }`.",
    deviation: "A trigger also has `version`; a variable of type `enum` also has `values`.",
    reason: "Trigger declarations are versioned, and conditions name values.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > has the words, the actions and the triggers",
      "events/event-triggers.test.ts > triggers of events > have version 2 in the catalogue, and all others version 1",
    ],
  },
  {
    says: "Catalog `limits`: `maxPhases`, `maxStepsPerPhase`, `maxSteps`, `defaultBudgetMs`, `maxAdvanceCount`, `maxAfterSeconds`.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > has the words, the actions and the triggers",
    ],
  },
  {
    says: "`GET /admin/events/series`: admin, editor; `{ series: [Series] }`.",
    routes: ["GET /admin/events/series"],
    shownBy: [
      "events/authoring.test.ts > series > are made, changed, listed in their order and deleted, and their events stay",
    ],
  },
  {
    says: "`POST /admin/events/series`: admin, editor; series fields; 201 `{ series }`; errors `{ errors }`.",
    routes: ["POST /admin/events/series"],
    shownBy: [
      "events/authoring.test.ts > series > are made, changed, listed in their order and deleted, and their events stay",
      "events/authoring.test.ts > series > are refused with every fault, and unknown ones are 404 first",
    ],
  },
  {
    says: "`PUT /admin/events/series/:seriesId`: admin, editor; series fields; `{ series }`; 404.",
    routes: ["PUT /admin/events/series/:seriesId"],
    shownBy: [
      "events/authoring.test.ts > series > are made, changed, listed in their order and deleted, and their events stay",
      "events/authoring.test.ts > series > are refused with every fault, and unknown ones are 404 first",
    ],
  },
  {
    says: "`DELETE /admin/events/series/:seriesId`: admin, editor; `{ ok, detached }` (definitions lose their series).",
    routes: ["DELETE /admin/events/series/:seriesId"],
    shownBy: [
      "events/authoring.test.ts > series > are made, changed, listed in their order and deleted, and their events stay",
    ],
  },
  {
    says: "`GET /admin/events/calendar`: admin, editor; query `from`, `to` (UTC instants, both supplied by the caller), `status`, `scope`, `seriesId`; `{ window, horizon, horizonDays, entries, truncated }`.",
    routes: ["GET /admin/events/calendar"],
    shownBy: [
      "events/publishing.test.ts > GET /admin/events/calendar > shows runs, and beyond the horizon the occurrences to come, in wall time across a change",
      "events/publishing.test.ts > GET /admin/events/calendar > asks for both bounds, as instants, at most 366 days apart",
      "events/calendar.test.ts > the calendar > has what begins from one bound on until before the other, in order",
    ],
  },
  {
    says: "`GET /admin/events/runs`: admin, editor; query `definitionId`, `status`, `limit`; `{ runs: [Run] }`.",
    routes: ["GET /admin/events/runs"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > makes versions with numbers, and runs up to the horizon",
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
    ],
  },
  {
    says: "`GET /admin/events/runs/:runId`: admin, editor; `{ run, steps, counts, gates, budget }`; gates rendered as sentences; 400 bad id; 404.",
    routes: ["GET /admin/events/runs/:runId"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > fills in parameters, copies the tightest cap, and writes who created it",
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
    ],
  },
  {
    says: "`GET /admin/events/runs/:runId/log`: admin, editor; query `limit`; `{ log: [line], kinds }`.",
    routes: ["GET /admin/events/runs/:runId/log"],
    shownBy: [
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
    ],
  },
  {
    says: "`GET /admin/events/actions`: admin; `{ actions: [...], worldChangingRisks }`.",
    routes: ["GET /admin/events/actions"],
    shownBy: [
      "events/authoring.test.ts > the switchboard > has what changes the world off, and the rest on, until somebody decides",
      "http/gates.test.ts > a route behind roles > %s answers 403 to every other role",
    ],
  },
  {
    says: "`PUT /admin/events/actions`: admin; `{ actionId, enabled boolean required, caps object mapping dimension to integer >= 0 (null or empty skipped) }`; `{ action: { id, enabled, configured, caps, updatedAt } }`.",
    routes: ["PUT /admin/events/actions"],
    shownBy: [
      "events/authoring.test.ts > the switchboard > is set by administrators: caps stay, are replaced as a whole, or are cleared",
    ],
  },
  {
    says: "`PUT /admin/events/actions`: 404 unknown action; 400 non-boolean `enabled`, a dimension the action does not spend, or a bad cap.",
    shownBy: [
      "events/authoring.test.ts > the switchboard > refuses what it cannot set, an unknown action first",
    ],
  },
  {
    says: "`GET /admin/events/:id`: admin, editor; `{ event }`; 400; 404.",
    routes: ["GET /admin/events/:id"],
    shownBy: [
      "events/authoring.test.ts > POST /admin/events > makes a draft with every default",
      "events/authoring.test.ts > PUT /admin/events/:id > answers ids that are none 400 and unknown ones 404, before it looks at the body",
      "http/gates.test.ts > a route that names a row by a number > %s answers 400 to an id that is none",
    ],
  },
  {
    says: "`GET /admin/events/:id/versions`: admin, editor; `{ versions: [Version] }`.",
    routes: ["GET /admin/events/:id/versions"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > makes versions with numbers, and runs up to the horizon",
    ],
  },
  {
    says: "`POST /admin/events`: admin, editor; definition fields; 201 `{ event }`.",
    routes: ["POST /admin/events"],
    shownBy: [
      "events/authoring.test.ts > POST /admin/events > makes a draft with every default",
      "events/authoring.test.ts > POST /admin/events > is for administrators and editors",
    ],
  },
  {
    says: "`PUT /admin/events/:id`: admin, editor; definition fields; `{ event }`.",
    routes: ["PUT /admin/events/:id"],
    shownBy: [
      "events/authoring.test.ts > PUT /admin/events/:id > changes what is named, and clears what may be null",
    ],
  },
  {
    says: "`POST /admin/events/:id/publish`: admin; `{ event, version, versionId, repinned }`.",
    routes: ["POST /admin/events/:id/publish"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > makes versions with numbers, and runs up to the horizon",
      "events/publishing.test.ts > POST /admin/events/:id/publish > is for administrators, and no more once the event is archived",
    ],
  },
  {
    says: "`POST /admin/events/:id/verify`: admin, editor; 200 always when the request is valid: `{ target, versionId, version, recorded, report }`; findings in the report do not change the status.",
    routes: ["POST /admin/events/:id/verify"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/verify > records a published version without errors, and publishing clears that",
      "events/publishing.test.ts > POST /admin/events/:id/verify > finds what would go wrong",
    ],
  },
  {
    says: "`DELETE /admin/events/:id`: admin, editor; `{ event }`.",
    routes: ["DELETE /admin/events/:id"],
    shownBy: [
      "events/publishing.test.ts > DELETE /admin/events/:id > archives, cancels runs that wait, and changes nothing the second time",
    ],
  },
  {
    says: "`POST /admin/events/:id/runs`: admin, editor; `{ scope, scheduledFor, rehearsal boolean, params }`; 201 or 200 `{ run, created }`.",
    routes: ["POST /admin/events/:id/runs"],
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > makes one run of an occurrence, however often and from wherever it is asked",
      "events/publishing.test.ts > POST /admin/events/:id/runs > finds the run that the schedule made",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/pause`: admin, editor; optional `reason`; `{ run }`.",
    routes: ["POST /admin/events/runs/:runId/pause"],
    shownBy: [
      "events/engine.test.ts > a person > pauses a run and has it go on, and both logs say who",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/resume`: admin, editor; `{ run }`.",
    routes: ["POST /admin/events/runs/:runId/resume"],
    shownBy: [
      "events/engine.test.ts > a person > pauses a run and has it go on, and both logs say who",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/advance`: admin, editor; optional `reason`; `{ run, phase }`.",
    routes: ["POST /admin/events/runs/:runId/advance"],
    shownBy: ["events/engine.test.ts > a person > advances a run, which skips what has not begun"],
  },
  {
    says: "`POST /admin/events/runs/:runId/cancel`: admin, editor; optional `reason`; `{ run, cancelledSteps }`.",
    routes: ["POST /admin/events/runs/:runId/cancel"],
    shownBy: ["events/engine.test.ts > a person > cancels a run that waits or is under way, once"],
  },
  {
    says: "`POST /admin/events/runs/:runId/steps/:stepId/confirm`: admin, editor; optional `note`; `{ step }`.",
    routes: ["POST /admin/events/runs/:runId/steps/:stepId/confirm"],
    shownBy: [
      "events/engine.test.ts > a person > pauses a run and has it go on, and both logs say who",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/steps/:stepId/skip`: admin, editor; optional `reason`; `{ step }`.",
    routes: ["POST /admin/events/runs/:runId/steps/:stepId/skip"],
    shownBy: [
      "events/engine.test.ts > a person > skips a failed step, and the run stays paused until it is resumed",
    ],
  },
  {
    says: "`POST /admin/events/runs/:runId/steps/:stepId/retry`: admin, editor; `{ step, run, resumed }`.",
    routes: ["POST /admin/events/runs/:runId/steps/:stepId/retry"],
    shownBy: [
      "events/engine.test.ts > a person > tries a failed step again under its key, and the run that it paused goes on",
    ],
  },
  {
    says: "The control routes answer 400 for a bad id and a guard status (default 409) with `{ errors }` when the transition is refused.",
    shownBy: [
      "events/engine.test.ts > a person > is told what is not there, and what does not fit",
      "events/engine.test.ts > a person > pauses a run and has it go on, and both logs say who",
    ],
  },
  {
    says: "Every control writes an audit row in both the run log and the activity log.",
    shownBy: [
      "events/engine.test.ts > a person > pauses a run and has it go on, and both logs say who",
      "events/activity.test.ts > the activity log > has one line for each thing that a person does under /admin/events, and says who, what and to which",
    ],
  },
  {
    says: "Cleanup of a run is not offered.",
    shownBy: [
      "http/manifest.test.ts > the route manifest > serves exactly the frozen ${set} routes",
    ],
  },
];
