import { tokenRoles } from "../../shared/auth/administration/api-tokens.ts";
import { publicStatuses } from "../../shared/events/announced/announced.ts";
import { entryStatuses } from "../../shared/events/occurrences/calendar.ts";
import { paramValue, specField } from "../../shared/events/spec/fields.ts";
import * as events from "../../shared/events/vocabulary.ts";
import { paramTypes } from "../../shared/facts/param.ts";
import { atlasSources } from "../../shared/imports/results/atlas.ts";
import { clilocSources } from "../../shared/imports/results/clilocs.ts";
import { importCodes, importStatuses } from "../../shared/imports/results/codes.ts";
import { importNames } from "../../shared/imports/results/kinds.ts";
import { audienceLadder, roles } from "../../shared/platform/access/roles.ts";
import { linkStates } from "../../shared/platform/bridge/socket/socket-options.ts";
import { storageBoundNames } from "../../shared/platform/config/survival-bounds.ts";
import { errorCodes } from "../../shared/platform/errors/error-codes.ts";
import { faultCodes } from "../../shared/platform/errors/pointer-faults.ts";
import { jobStates } from "../../shared/platform/job-records/job-states.ts";
import { processKinds } from "../../shared/platform/job-records/processes.ts";
import { progressUnits } from "../../shared/platform/job-records/progress.ts";
import { queueGroups } from "../../shared/platform/queue/queues.ts";
import { siteModes } from "../../shared/platform/settings/catalogue.ts";
import { treeKinds } from "../../shared/shard/atlas/tree/tree.ts";
import { bodyStatuses } from "../../shared/shard/calls/body-calls.ts";
import { signupModes } from "../../shared/shard/calls/bridge-answers.ts";
import { decayStages } from "../../shared/shard/kinds/houses.ts";
import { featureNames, adminOnlyFields } from "../../shared/shard/visibility/features.ts";
import { hookStreams } from "../../shared/webhooks/messages/hook-streams.ts";
import { toNullableSchema, type Schema, toOpenApi } from "../http/json-schema.ts";
import { scopes } from "../http/scopes.ts";

const oneOf = (values: readonly string[], description: string): Schema => ({
  type: "string",
  enum: values,
  description,
});

const oneOfOrNull = (values: readonly string[], description: string): Schema =>
  toNullableSchema(oneOf(values, description));

const unreadable = "Why the source cannot be read, as a code for programs. Null if it can.";

/** CATALOGUE of the enumerations, taken from the code that uses them. */
const words = (): Readonly<Record<string, Schema>> => ({
  ErrorCode: oneOf(
    Object.keys(errorCodes),
    "Reason why a request was refused, as a code for programs.",
  ),
  Role: oneOf(roles, "Role of a user. All roles except `player` are staff roles."),
  TokenRole: oneOf(tokenRoles, "Role of an API token."),
  Scope: oneOf(
    scopes,
    "Permission of an API token. Within one tag of the API description, a scope allows a token " +
      "either to read (call `GET` operations) or to write (call all other operations).",
  ),
  Rung: oneOf(
    audienceLadder,
    "Audience: the group of callers who can see something. The audiences are listed from the " +
      "lowest to the highest. A caller who belongs to an audience can also see everything that " +
      "is open to lower audiences. `anonymous`: everyone. `logged_in`: signed-in users. " +
      "`player`: users with a linked game account. `staff`: editors and moderators. `admin`: " +
      "administrators.",
  ),
  Feature: oneOf(
    featureNames,
    "Part of the shard's public data for which administrators set an audience.",
  ),
  LockedField: oneOf(
    adminOnlyFields,
    "Field that only administrators can see. This field cannot have a field rule.",
  ),
  SiteMode: oneOf(
    siteModes,
    "Mode of the site. `maintenance` admits only staff, `closed` only administrators.",
  ),
});

/** The enumerations of game server links, jobs, events and webhooks. */
const wordsOfWork = (): Readonly<Record<string, Schema>> => ({
  LinkStatus: oneOf(
    linkStates,
    "State of the link to the game server. `reconnecting`: the link is turned on, but not " +
      "connected now. `disconnected`: the link is turned off. `error`: the game server refuses " +
      "the site's token or the protocol version.",
  ),
  SignupModeName: oneOf(
    signupModes,
    "Where new game accounts of the shard can be created. `disabled`: nowhere. `website`: on the " +
      "site. `hybrid`: on the site and in the game. `game`: in the game.",
  ),
  SurvivalBound: oneOf(
    storageBoundNames,
    "Kind of data. For each survival server, the site stores only a limited amount of each kind " +
      "of data.",
  ),
  WebhookStream: oneOf(
    hookStreams,
    "Stream of events to which a webhook can subscribe. `event.run`: the start and the end of " +
      "every run of an event.",
  ),
  JobState: oneOf(
    jobStates,
    "State of a job. `created`: the job waits for its first attempt. `retry`: an attempt failed, " +
      "and the job waits for another attempt. `active`: the job is running.",
  ),
  ProcessKind: oneOf(
    processKinds,
    "`web` serves the API, `ingest` receives events of game servers, `worker` runs jobs.",
  ),
  QueueGroup: oneOf(
    queueGroups,
    "Group of queues. A worker can be limited to some groups of queues.",
  ),
  DecayStage: oneOf(decayStages, "Decay stage of a house. `IDOC`: in danger of collapsing."),
  ImportName: oneOf(importNames, "Kind of import."),
  ProgressUnit: oneOf(progressUnits, "Unit of `done` and `total`."),
  TreeKind: oneOf(treeKinds, "Game server software to which the files belong."),
});

/** CATALOGUE of the enumerations of imports. */
const importWords = (): Readonly<Record<string, Schema>> => ({
  BodyStatus: oneOfOrNull(
    bodyStatuses,
    "Result of looking up the creature's body (graphic id) on the shard. Null if the import did " +
      "not look the body up.",
  ),
  AtlasSource: oneOf(
    atlasSources,
    "`bridge`: the linked shard. `fs`: local files of a game server.",
  ),
  AtlasSourceOrNull: oneOfOrNull(
    atlasSources,
    "`bridge`: the linked shard. `fs`: local files of a game server.",
  ),
  AtlasCode: oneOfOrNull(importCodes.atlas, unreadable),
  AtlasEnd: oneOf(importStatuses.atlas, "Result of the import."),
  ClilocSource: oneOf(clilocSources, "`bridge`: the linked shard. `file`: local files."),
  ClilocSourceOrNull: oneOfOrNull(
    clilocSources,
    "`bridge`: the linked shard. `file`: local files.",
  ),
  ClilocStatusCode: oneOfOrNull(importCodes.clilocStatus, unreadable),
  ClilocCode: oneOfOrNull(importCodes.clilocs, unreadable),
  ClilocEnd: oneOf(importStatuses.clilocs, "Result of the import."),
  AssetStatusCode: oneOfOrNull(importCodes.assetStatus, unreadable),
  AssetCode: oneOfOrNull(importCodes.assets, unreadable),
  AssetEnd: oneOf(importStatuses.assets, "Result of the import."),
  ItemArtCode: oneOfOrNull(importCodes["item-art"], unreadable),
  ItemArtEnd: oneOf(importStatuses["item-art"], "Result of the fetch."),
  SurvivalMapCode: oneOfOrNull(
    importCodes.map,
    "Why the game server did not carry out the request, as a code for programs. Null if it did.",
  ),
  SurvivalMapEnd: oneOf(importStatuses.map, "Result of the fetch."),
  SurvivalMapRenderEnd: oneOf(
    importStatuses["map-render"],
    "Whether the game server accepted the request.",
  ),
});

/** CATALOGUE of the enumerations of the event module. */
const eventWords = (): Readonly<Record<string, Schema>> => ({
  FaultCode: oneOf(faultCodes, "Rule that the invalid value breaks, as a code for programs."),
  EventRisk: oneOf(
    events.risks,
    "Risk class of an action. The values are in order of risk, lowest first.",
  ),
  EventParamType: oneOf(paramTypes, "Type of a value."),
  EventOnFailure: oneOf(
    events.failureReactions,
    "What happens to the run if the step fails and is not retried.",
  ),
  EventScheduleKind: oneOf(events.scheduleKinds, "How runs of the event are scheduled."),
  EventOperator: oneOf(events.operators, "Operator for comparing a variable with a value."),
  EventScope: {
    type: "string",
    pattern: events.scopePattern.source,
    description:
      "Where a run of the event takes place: the site, the shard, one survival server " +
      "(`survival:` and its id), or all survival servers (`survival:*`).",
    example: "survival:3",
  },
  EventState: oneOf(events.definitionStates, "State of an event definition."),
  EventRunStatus: oneOf(events.runStatuses, "State of a run."),
  EventRunHealth: oneOf(
    events.runHealths,
    "Health of a run. `degraded`: a step failed or was refused.",
  ),
  EventEntryStatus: oneOf(
    entryStatuses,
    "State of a run. `projected`: an occurrence of a schedule for which no run exists yet.",
  ),
  EventStepStatus: oneOf(events.stepStatuses, "State of a step."),
  EventLogKind: oneOf(events.runLogKinds, "Kind of an entry in the log of a run."),
  PublicRunStatus: oneOf(publicStatuses, "State of a run as the public sees it."),
  EventSpec: toOpenApi(specField),
  EventParamValue: {
    ...toOpenApi(paramValue),
    description: "Value that the parameter has if a run is started without a value for it.",
  },
  EventAdvanceKind: oneOf(events.gateKinds, "Kind of condition that ends a phase."),
});

export const buildEnumSchemas = (): Readonly<Record<string, Schema>> => ({
  ...words(),
  ...wordsOfWork(),
  ...importWords(),
  ...eventWords(),
});
