import type { Statement } from "./statement.ts";

/** What the contract says of the records of the events module and of survival servers. */
export const eventRecords: readonly Statement[] = [
  {
    says: "Definition: `id`; `title`; `slug`; `summary`; `body`; `imageUrl`; `ownerModule`; `state`; `currentVersionId`; `currentVersion`; `currentVersionVerifiedAt`; `seriesId`; `seriesName`; `seriesOrder`; `concurrencyKey`; `graceSeconds`; `timezone`; `spec`; `createdAt`; `updatedAt`.",
    deviation: "A definition also carries `revision` and `currentVersionRevision`.",
    reason:
      "A request may name the revision it is based on, and is refused where somebody changed the event since.",
    shownBy: ["events/authoring.test.ts > POST /admin/events > makes a draft with every default"],
  },
  {
    says: "`currentVersionVerifiedAt`: null on a draft; a date once a dry run passed against the published version.",
    shownBy: [
      "events/authoring.test.ts > POST /admin/events > makes a draft with every default",
      "events/publishing.test.ts > POST /admin/events/:id/verify > records a published version without errors, and publishing clears that",
    ],
  },
  {
    says: "Version: `id`, `version` (number), `publishedAt`, `publishedBy`, `publishedByUsername`, `current` boolean.",
    deviation:
      "A version also carries `revision`, the revision of the working copy that it was published from.",
    reason:
      "A request may name the version that it is based on, and is refused where another one was published since.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > makes versions with numbers, and runs up to the horizon",
    ],
  },
  {
    says: "Series: `id`, `name`, `slug`, `description`, `ordering`, `definitionCount`.",
    shownBy: [
      "events/authoring.test.ts > series > are made, changed, listed in their order and deleted, and their events stay",
    ],
  },
  {
    says: "Run: `id`, `definitionId`, `definitionTitle`, `definitionSlug`, `versionId`, `version`, `scope`, `status`, `health`, `cleanupStatus`, `currentPhase`, `scheduledFor`, `timezone`, `concurrencyKey`, `params`, `rehearsal`, `startedAt`, `endedAt`, `lastError`, `createdAt`, `waitingSteps` (steps parked on a human).",
    deviation: "A run also carries `startedBy`, `startedByUsername` and `revision`.",
    reason: "The rights of whoever started a run decide what it may do, so staff read who that is.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/publish > makes versions with numbers, and runs up to the horizon",
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
    ],
  },
  {
    says: "Step: `id`, `runId`, `phase`, `seq`, `actionId`, `params`, `actionVersion`, `status`, `parked`, `dueAt`, `attempts`, `onFailure`, `idempotencyKey`, `lastError`, `startedAt`, `finishedAt`.",
    deviation: "A step also carries `revision`.",
    reason: "See the definition.",
    shownBy: [
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
    ],
  },
  {
    says: "`parked` boolean: status `running` with no lease, waiting on a human.",
    shownBy: [
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
      "events/actions.test.ts > actions of the module itself > wait, and ask for a person",
    ],
  },
  {
    says: "Run log line: `id`, `stepId`, `kind`, `phase`, `detail`, `at`.",
    shownBy: [
      "events/publishing.test.ts > a run as it goes > shows steps, counts, parked ones, its gate as a sentence, and the newest lines of its log",
    ],
  },
  {
    says: "Action (catalog entry): id, risk class, reversible flag, parameter schema.",
    shownBy: [
      "events/authoring.test.ts > GET /admin/events/catalog > has the words, the actions and the triggers",
    ],
  },
  {
    says: "Action, switchboard view: adds `enabled`, `configured`, `changesWorld`, `dimensions` (spendable budget dimensions), `caps` (map dimension to non-negative integer), `updatedAt`, `updatedBy`.",
    shownBy: [
      "events/authoring.test.ts > the switchboard > has what changes the world off, and the rest on, until somebody decides",
      "events/authoring.test.ts > the switchboard > is set by administrators: caps stay, are replaced as a whole, or are cleared",
    ],
  },
  {
    says: "Run budget: per-run caps copied in at run creation, with what the run has spent. The tightest cap wins where two actions spend one dimension; the action it came from is recorded with the cap.",
    shownBy: [
      "events/publishing.test.ts > POST /admin/events/:id/runs > fills in parameters, copies the tightest cap, and writes who created it",
      "events/engine.test.ts > what a run may do > ends with its budget, which a run spends once a step",
    ],
  },
  {
    says: "Public event projection: only announced (`listed`) definitions; rehearsals excluded.",
    shownBy: [
      "events/announced.test.ts > GET /public/events/:slug > shows nothing of what is unlisted, a draft, archived or a rehearsal",
    ],
  },
  {
    says: "Public event projection: built by explicit projection so that spec, health, cleanup, claims, errors and member keys never appear.",
    shownBy: [
      "events/announced.test.ts > what everyone may see > never holds a word of what is internal",
      "events/announced.test.ts > GET /public/events/:slug > shows what is announced as it was published, and when it takes place",
    ],
  },
  {
    says: "A `listed` flag on the definition means announced, separate from `state`.",
    deviation: "`listed` is a field of `spec`, and is published with it.",
    reason:
      "What is announced changes with a publication, as everything else that visitors see of the event.",
    shownBy: [
      "events/announced.test.ts > GET /public/events/:slug > follows what is published: announced again, and no more",
    ],
  },
  {
    says: "Survival-game module: server (with `nextWipe`, and stored wipe schedule of six nullable fields).",
    shownBy: [
      "survival/servers.test.ts > a survival server as the public sees it > tells how it stands, and what the caller finds something in",
      "survival/servers.test.ts > administering survival servers > adds one, whose token never leaves and whose slug comes from its name",
      "survival/servers.test.ts > administering survival servers > changes nothing of the wipe schedule where the rule is not sent, and all of it where it is",
    ],
  },
  {
    says: "Survival-game module: clan (identity composed of server id, clan id and creation time).",
    shownBy: [
      "survival/clans.test.ts > a clan's external id > names the server, the clan's id and when it was made",
      "survival/clan-pages.test.ts > a clan > is another one when the game gives its id again",
    ],
  },
  {
    says: "Survival-game module: NPC profile, NPC placement, faction pair table.",
    shownBy: [
      "survival/npcs.test.ts > an NPC profile > is made with what the NPC plugins have where nothing is said",
      "survival/npc-placements.test.ts > a placement > is added, pushed, and shown with what the game says of it",
      "survival/npcs.test.ts > the table of factions > has one row for two factions, whichever is named first",
    ],
  },
  {
    says: "Survival-game module: zone preset, title rule, title category.",
    shownBy: [
      "survival/zones.test.ts > zone presets > are made with defaults, changed field by field and deleted",
      "survival/title-rules.test.ts > the title rules of a server > are written whole and in order, and told to the server",
      "survival/title-rules.test.ts > the categories of titles > are 24, of which playtime is not ranked",
    ],
  },
  {
    says: "Survival-game module: permission group, permission grant, map image, configuration write (`writeId`).",
    shownBy: [
      "survival/permission-routes.test.ts > a permission group > is made, changed, read by staff and pushed with those in it",
      "survival/permission-routes.test.ts > a grant > to the same player twice is 409, however many ask at once",
      "survival/map-image.test.ts > GET /public/survival/servers/:id/map/image > answers the bytes under their hash, which may be kept for ever",
      "survival/config-editor.test.ts > a configuration write > goes out with the secrets of the file, and settles by what its plugin tells",
    ],
  },
];
