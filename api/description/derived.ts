import { ladder, roles } from "../../shared/auth/caller/roles.ts";
import { tokenRoles } from "../../shared/auth/tokens/api-tokens.ts";
import { linkStates } from "../../shared/bridge/socket-options.ts";
import { errorCodes } from "../../shared/error-codes.ts";
import { publicStatuses } from "../../shared/events/announced/public-status.ts";
import { entryStatuses } from "../../shared/events/calendar/calendar.ts";
import { paramValue, specField } from "../../shared/events/spec/fields.ts";
import * as events from "../../shared/events/vocabulary.ts";
import { atlasSources } from "../../shared/imports/results/atlas.ts";
import { clilocSources } from "../../shared/imports/results/clilocs.ts";
import { importCodes, importStatuses } from "../../shared/imports/results/codes.ts";
import { importNames } from "../../shared/imports/results/kinds.ts";
import { jobStates } from "../../shared/job-records/job-states.ts";
import { progressUnits } from "../../shared/job-records/progress.ts";
import { ownParts } from "../../shared/own-data/catalogue.ts";
import { pluginAnswers } from "../../shared/plugin/answers.ts";
import { processKinds } from "../../shared/processes/processes.ts";
import { queueGroups } from "../../shared/queue/queues.ts";
import { publicNames, settings, siteModes } from "../../shared/settings/catalogue.ts";
import { treeKinds } from "../../shared/shard/atlas/tree/tree.ts";
import { bodyStatuses } from "../../shared/shard/calls/body-calls.ts";
import { signupModes } from "../../shared/shard/calls/bridge-answers.ts";
import { decayStages } from "../../shared/shard/kinds/houses.ts";
import { featureNames, features, lockedFields } from "../../shared/shard/visibility/features.ts";
import { boundNames } from "../../shared/survival/bounds/bounds.ts";
import { survivalKinds } from "../../shared/survival/kinds/kinds.ts";
import { profileFields } from "../../shared/survival/npcs/profiles/profile-fields.ts";
import { hookStreams } from "../../shared/webhooks/catalogue/hook-streams.ts";
import { nullable, type Schema, toOpenApi } from "../http/json-schema.ts";
import { scopes } from "../http/scopes.ts";
import { payloadSeen } from "./payloads.ts";

const oneOf = (values: readonly string[], description: string): Schema => ({
  type: "string",
  enum: values,
  description,
});

const oneOfOrNull = (values: readonly string[], description: string): Schema =>
  nullable(oneOf(values, description));

const unreadable = "Why the source cannot be read, for programs. Null if it can.";

/** CATALOGUE of the lists of words, each as the code that uses it has it. */
const words = (): Readonly<Record<string, Schema>> => ({
  ErrorCode: oneOf(Object.keys(errorCodes), "Reason why a request was refused, for programs."),
  Role: oneOf(roles, "Role of a user. All roles except `player` are staff roles."),
  TokenRole: oneOf(tokenRoles, "Role of an API token."),
  Scope: oneOf(
    scopes,
    "Permission of an API token to call the operations of one tag, to read (GET) or to write " +
      "(all other methods).",
  ),
  Rung: oneOf(
    ladder,
    "Audience. The values are the rungs of a ladder, lowest first; a caller on a rung can see " +
      "everything that is open to lower rungs. `logged_in`: signed-in users. `player`: users with " +
      "a linked game account. `staff`: editors and moderators.",
  ),
  Feature: oneOf(
    featureNames,
    "Part of the shard's public data for which administrators set an audience.",
  ),
  LockedField: oneOf(lockedFields, "Field that only administrators can see."),
  SiteMode: oneOf(
    siteModes,
    "Mode of the site. `maintenance` admits only staff, `closed` only administrators.",
  ),
});

/** The same for the links of game servers, jobs, events and webhooks. */
const wordsOfWork = (): Readonly<Record<string, Schema>> => ({
  LinkStatus: oneOf(
    linkStates,
    "State of the link to the game server. `disconnected`: the link is turned off. `error`: the " +
      "game server refuses the token or the protocol version.",
  ),
  SignupModeName: oneOf(signupModes, "Where new game accounts of the shard can be created."),
  SurvivalBound: oneOf(
    boundNames,
    "Kind of data of which the site stores a limited amount per survival server.",
  ),
  WebhookStream: oneOf(
    hookStreams,
    "Stream of events to which a webhook can subscribe. `event.run`: the start and end of every " +
      "event run.",
  ),
  JobState: oneOf(
    jobStates,
    "State of a job. `created`: the job waits for its first attempt. `retry`: the job waits for " +
      "another attempt.",
  ),
  ProcessKind: oneOf(
    processKinds,
    "`web` serves the API, `ingest` receives events of game servers, `worker` runs jobs.",
  ),
  QueueGroup: oneOf(queueGroups, "Group of queues. A worker can be limited to some groups."),
  DecayStage: oneOf(decayStages, "Decay stage of a house. `IDOC`: in danger of collapsing."),
  ImportName: oneOf(importNames, "Kind of import."),
  ProgressUnit: oneOf(progressUnits, "Unit of `done` and `total`."),
  TreeKind: oneOf(treeKinds, "Game server software to which the files belong."),
});

/** CATALOGUE of the words of imports. */
const importWords = (): Readonly<Record<string, Schema>> => ({
  BodyStatus: oneOfOrNull(
    bodyStatuses,
    "Result of looking up the creature's body (its graphic id) on the shard. Null if there was " +
      "no lookup.",
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
    "Why the game server did not carry out the request, for programs. Null if it did.",
  ),
  SurvivalMapEnd: oneOf(importStatuses.map, "Result of the fetch."),
  SurvivalMapRenderEnd: oneOf(
    importStatuses["map-render"],
    "Whether the game server accepted the request.",
  ),
});

/** CATALOGUE of the words of the event module. */
const eventWords = (): Readonly<Record<string, Schema>> => ({
  FaultCode: oneOf(events.faultCodes, "Rule that the value breaks, as a code for programs."),
  EventRisk: oneOf(
    events.risks,
    "Risk class of an action. The values are in order of risk, lowest first.",
  ),
  EventParamType: oneOf(events.paramTypes, "Type of a value."),
  EventOnFailure: oneOf(events.onFailures, "What happens to the run if the step fails."),
  EventScheduleKind: oneOf(events.scheduleKinds, "How runs of the event are scheduled."),
  EventOperator: oneOf(events.operators, "Operator for comparing a variable with a value."),
  EventScope: {
    type: "string",
    pattern: events.scopePattern.source,
    description:
      "Where a run takes place: the site, the shard, one survival server (`survival:` and its " +
      "id), or all survival servers (`survival:*`).",
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
    "State of a run. `projected`: an occurrence that has no run yet.",
  ),
  EventStepStatus: oneOf(events.stepStatuses, "State of a step."),
  EventLogKind: oneOf(events.runLogKinds, "Kind of an entry in the log of a run."),
  PublicRunStatus: oneOf(publicStatuses, "State of a run as the public sees it."),
  EventSpec: toOpenApi(specField),
  EventParamValue: { ...toOpenApi(paramValue), description: "Default value." },
  EventAdvanceKind: oneOf(events.advanceKinds, "Condition that ends a phase."),
});

/** An object that holds all of these fields and no others. */
const whole = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  additionalProperties: false,
  ...(Object.keys(properties).length > 0 && { required: Object.keys(properties) }),
  properties,
});

const mapped = <Value>(given: Readonly<Record<string, Value>>, of: (value: Value) => Schema) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, of(value)]));

const rung: Schema = { $ref: "#/components/schemas/Rung" };

const visibilityOf = ({ fieldRules }: { readonly fieldRules: object }): Schema =>
  whole({
    enabled: { type: "boolean" },
    audience: rung,
    stream: {
      type: "boolean",
      description: "Whether the public stream contains the events of the feature.",
    },
    fieldRules: whole(mapped({ ...fieldRules }, () => rung)),
  });

const publicFields = () =>
  Object.fromEntries(
    publicNames.map((name) => [settings[name].publicName, toOpenApi(settings[name].schema)]),
  );

/** A part is an object, or rows of one form. */
const partOf = ({ kind, shape }: (typeof ownParts)[keyof typeof ownParts]): Schema => {
  const schema = { $ref: `#/components/schemas/${shape}` };
  return kind === "whole" ? schema : { type: "array", items: schema };
};

/** What a survival server tells that its players may do. */
function toldPermissions(): Readonly<Record<string, Schema>> {
  const told = toOpenApi(survivalKinds["perm.inventory"].payload, { isPayload: true });
  const { groups, permissions, users } = told["properties"] as Record<string, { items: Schema }>;
  return {
    ...(groups && { ToldGroup: groups.items }),
    ...(permissions && { ToldPermission: permissions.items }),
    ...(users && { ToldUser: users.items }),
  };
}

/** Component schemas that follow from the code's own catalogues. */
export const derivedSchemas = (): Readonly<Record<string, Schema>> => ({
  ...words(),
  ...wordsOfWork(),
  ...importWords(),
  ...eventWords(),
  Settings: whole(mapped(settings, ({ schema }) => toOpenApi(schema))),
  PublicSettings: whole({
    siteName: { type: "string" },
    ...publicFields(),
    vapidPublicKey: {
      type: "string",
      nullable: true,
      description: "VAPID public key for push subscriptions. Null while push messages are off.",
    },
    limits: { $ref: "#/components/schemas/SiteLimits" },
  }),
  OwnData: whole({
    exported_at: { type: "string", format: "date-time" },
    ...mapped(ownParts, partOf),
  }),
  FeatureVisibilities: whole(mapped(features, visibilityOf)),
  NpcDeath: toOpenApi(profileFields.death),
  ...toldPermissions(),
  ...mapped(pluginAnswers, (schema) => toOpenApi(schema)),
  Ruleset: nullable(payloadSeen("world.ruleset")),
});
