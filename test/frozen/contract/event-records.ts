import type { Statement } from "./statement.ts";

/** The contract's statements on the records of events and survival servers. */
export const eventRecords: readonly Statement[] = [
  {
    says: "Definition: `id`; `title`; `slug`; `summary`; `body`; `imageUrl`; `ownerModule`; `state`; `currentVersionId`; `currentVersion`; `currentVersionVerifiedAt`; `seriesId`; `seriesName`; `seriesOrder`; `concurrencyKey`; `graceSeconds`; `timezone`; `spec`; `createdAt`; `updatedAt`.",
    deviation: "A definition also carries `revision` and `currentVersionRevision`.",
    reason:
      "A request may name the revision it is based on, and is refused where somebody changed the event since.",
    shownBy: ["events/authoring.test.ts > POST /admin/events > creates a draft with all defaults"],
  },
  {
    says: "`currentVersionVerifiedAt`: null on a draft; a date once a dry run passed against the published version.",
    shownBy: [
      "events/authoring.test.ts > POST /admin/events > creates a draft with all defaults",
      "events/publishing.test.ts > POST /admin/events/:id/verify > records that a published version has no errors, until the next publication",
    ],
  },
  {
    says: "Version: `id`, `version` (number), `publishedAt`, `publishedBy`, `publishedByUsername`, `current` boolean.",
    deviation:
      "A version also carries `revision`, the revision of the working copy that it was published from.",
    reason:
      "A request may name the version that it is based on, and is refused where another one was published since.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > creates a numbered version each time, and the runs up to the horizon",
    ],
  },
  {
    says: "Series: `id`, `name`, `slug`, `description`, `ordering`, `definitionCount`.",
    shownBy: [
      "events/authoring.test.ts > event series > are created, changed, listed in order, and deleted without their events",
    ],
  },
  {
    says: "Run: `id`, `definitionId`, `definitionTitle`, `definitionSlug`, `versionId`, `version`, `scope`, `status`, `health`, `cleanupStatus`, `currentPhase`, `scheduledFor`, `timezone`, `concurrencyKey`, `params`, `rehearsal`, `startedAt`, `endedAt`, `lastError`, `createdAt`, `waitingSteps` (steps parked on a human).",
    deviation: "A run also carries `startedBy`, `startedByUsername` and `revision`.",
    reason: "The rights of whoever started a run decide what it may do, so staff read who that is.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > creates a numbered version each time, and the runs up to the horizon",
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
    ],
  },
  {
    says: "Step: `id`, `runId`, `phase`, `seq`, `actionId`, `params`, `actionVersion`, `status`, `parked`, `dueAt`, `attempts`, `onFailure`, `idempotencyKey`, `lastError`, `startedAt`, `finishedAt`.",
    deviation: "A step also carries `revision`.",
    reason: "See the definition.",
    shownBy: [
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
    ],
  },
  {
    says: "`parked` boolean: status `running` with no lease, waiting on a human.",
    shownBy: [
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
      "events/actions.test.ts > actions of the event module itself > wait for a time, and wait for a person's confirmation",
    ],
  },
  {
    says: "Run log line: `id`, `stepId`, `kind`, `phase`, `detail`, `at`.",
    shownBy: [
      "events/publishing.test.ts > a run in progress > shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines",
    ],
  },
  {
    says: "Action (catalog entry): id, risk class, reversible flag, parameter schema.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > lists the words of event specs, the actions and the triggers",
    ],
  },
  {
    says: "Action, switchboard view: adds `enabled`, `configured`, `changesWorld`, `dimensions` (spendable budget dimensions), `caps` (map dimension to non-negative integer), `updatedAt`, `updatedBy`.",
    shownBy: [
      "events/authoring.test.ts > the settings of event actions > have actions that change the world off, and the others on, by default",
      "events/authoring.test.ts > the settings of event actions > are changed by administrators, where a change without caps keeps the stored caps and a change with caps replaces all of them",
    ],
  },
  {
    says: "Run budget: per-run caps copied in at run creation, with what the run has spent. The tightest cap wins where two actions spend one dimension; the action it came from is recorded with the cap.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > fills in parameters, copies the lowest cap of the actions of the event, and logs who created the run",
      "events/engine.test.ts > the rights of a run > end when the budget of the run is spent, and each step is charged once",
    ],
  },
  {
    says: "Public event projection: only announced (`listed`) definitions; rehearsals excluded.",
    shownBy: [
      "events/announced.test.ts > GET /public/events/:slug > answers 404 for an unlisted, draft or archived event, and hides rehearsals",
    ],
  },
  {
    says: "Public event projection: built by explicit projection so that spec, health, cleanup, claims, errors and member keys never appear.",
    shownBy: [
      "events/announced.test.ts > public event data > contains no steps, parameters, variables or other internal data",
      "events/announced.test.ts > GET /public/events/:slug > shows an announced event as it was published, with its times",
    ],
  },
  {
    says: "A `listed` flag on the definition means announced, separate from `state`.",
    deviation: "`listed` is a field of `spec`, and is published with it.",
    reason:
      "What is announced changes with a publication, as everything else that visitors see of the event.",
    shownBy: [
      "events/announced.test.ts > GET /public/events/:slug > answers 404 only while the published version is unlisted, whatever the working copy says",
    ],
  },
  {
    says: "Survival-game module: server (with `nextWipe`, and stored wipe schedule of six nullable fields).",
    shownBy: [
      "survival/servers.test.ts > a survival server in public answers > shows its state, and names the page tabs with data for the caller",
      "survival/servers.test.ts > the administration of survival servers > adds a server with a slug from its name, and never shows its token",
      "survival/servers.test.ts > the administration of survival servers > changes the wipe schedule only if the request contains wipeRule, and then replaces all its fields",
    ],
  },
  {
    says: "Survival-game module: clan (identity composed of server id, clan id and creation time).",
    shownBy: [
      "survival/clans.test.ts > a clan's external id > consists of the server, the id of the clan and the time of its creation",
      "survival/clan-pages.test.ts > a clan > with a reused id is a different clan from the former clan with this id",
    ],
  },
  {
    says: "Survival-game module: NPC profile, NPC placement, faction pair table.",
    shownBy: [
      "survival/npcs.test.ts > an NPC profile > is created with the defaults of the NPC plugins",
      "survival/npc-placements.test.ts > an NPC placement > is created, pushed, and shown with its state in the game",
      "survival/npcs.test.ts > the table of relations between factions > has one row for two factions, in either order",
    ],
  },
  {
    says: "Survival-game module: zone preset, title rule, title category.",
    shownBy: [
      "survival/zones.test.ts > zone presets > are created with defaults, changed field by field, and deleted",
      "survival/title-rules.test.ts > the title rules of a server > are written completely and in order, and sent to the server",
      "survival/title-rules.test.ts > the title categories > are 24, of which all but playtime are ranked",
    ],
  },
  {
    says: "Survival-game module: permission group, permission grant, map image, configuration write (`writeId`).",
    shownBy: [
      "survival/permission-routes.test.ts > a permission group > is created, read by staff, and pushed with its members",
      "survival/permission-routes.test.ts > a permission grant > is answered 409 if the player already has it, even if six requests ask at once",
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map/image > answers the bytes for their hash, which may be cached forever",
      "survival/config-editor.test.ts > a configuration write > is sent with the secrets restored, and ends with the outcome that its plugin reports",
    ],
  },
];
