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

const unreadable = "Why the source cannot be read.";

/** CATALOGUE of the lists of words, each as the code that uses it has it. */
const words = (): Readonly<Record<string, Schema>> => ({
  ErrorCode: oneOf(Object.keys(errorCodes), "What refused a request, for programs."),
  Role: oneOf(roles, "What a user may do on the site."),
  TokenRole: oneOf(tokenRoles, "What an API token may be."),
  Scope: oneOf(
    scopes,
    "What an API token opens: a chapter of this description, to read or to write.",
  ),
  Rung: oneOf(ladder, "A rung of the audience ladder, lowest first: each implies those below."),
  Feature: oneOf(featureNames, "A part of the shard that is opened or closed as one."),
  LockedField: oneOf(lockedFields, "A field that is for administrators always."),
  SiteMode: oneOf(siteModes, "In maintenance the site is for staff, closed for administrators."),
  LinkStatus: oneOf(
    linkStates,
    "The link to the shard; in error its token or protocol is refused.",
  ),
  SignupModeName: oneOf(signupModes, "Where the shard takes new game accounts from."),
  SurvivalBound: oneOf(
    boundNames,
    "A part of what is kept of a survival server, which has a bound.",
  ),
  WebhookStream: oneOf(hookStreams, "What a webhook may be told of."),
  JobState: oneOf(jobStates, "How far a job is."),
  ProcessKind: oneOf(processKinds, "What a process does."),
  QueueGroup: oneOf(queueGroups, "Queues that the same workers work."),
  DecayStage: oneOf(decayStages, "How far a house has decayed."),
  ImportName: oneOf(importNames, "A kind of import."),
  ProgressUnit: oneOf(progressUnits, "What `done` and `total` count."),
  TreeKind: oneOf(treeKinds, "A family of game servers."),
  BodyStatus: oneOfOrNull(bodyStatuses, "What the shard knows of a creature's body."),
  AtlasSource: oneOf(atlasSources, "The linked shard, or a tree of files."),
  AtlasSourceOrNull: oneOfOrNull(atlasSources, "The linked shard, or a tree of files."),
  AtlasCode: oneOfOrNull(importCodes.atlas, unreadable),
  AtlasEnd: oneOf(importStatuses.atlas, "How the import ended."),
  ClilocSource: oneOf(clilocSources, "The linked shard, or files."),
  ClilocSourceOrNull: oneOfOrNull(clilocSources, "The linked shard, or files."),
  ClilocStatusCode: oneOfOrNull(importCodes.clilocStatus, unreadable),
  ClilocCode: oneOfOrNull(importCodes.clilocs, unreadable),
  ClilocEnd: oneOf(importStatuses.clilocs, "How the import ended."),
  AssetStatusCode: oneOfOrNull(importCodes.assetStatus, unreadable),
  AssetCode: oneOfOrNull(importCodes.assets, unreadable),
  AssetEnd: oneOf(importStatuses.assets, "How the import ended."),
  ItemArtCode: oneOfOrNull(importCodes["item-art"], unreadable),
  ItemArtEnd: oneOf(importStatuses["item-art"], "How the fetching ended."),
  SurvivalMapCode: oneOfOrNull(importCodes.map, "Why the game server did not do it."),
  SurvivalMapEnd: oneOf(importStatuses.map, "How the fetching ended."),
  SurvivalMapRenderEnd: oneOf(importStatuses["map-render"], "What became of the order."),
});

/** CATALOGUE of the words of the event module. */
const eventWords = (): Readonly<Record<string, Schema>> => ({
  FaultCode: oneOf(events.faultCodes, "Which rule a fault broke, for programs."),
  EventRisk: oneOf(events.risks, "What an action may do, the harmless first."),
  EventParamType: oneOf(events.paramTypes, "What a value is."),
  EventOnFailure: oneOf(events.onFailures, "What becomes of the run when the step fails."),
  EventScheduleKind: oneOf(events.scheduleKinds, "How an event is scheduled."),
  EventOperator: oneOf(events.operators, "How a variable is compared."),
  EventScope: {
    type: "string",
    pattern: events.scopePattern.source,
    description:
      "Where a run takes place: on the site, the shard, a survival server, or on any of those.",
    example: "survival:3",
  },
  EventState: oneOf(events.definitionStates, "How far the writing of an event is."),
  EventRunStatus: oneOf(events.runStatuses, "How far a run is."),
  EventRunHealth: oneOf(events.runHealths, "Degraded once a step was refused or has failed."),
  EventEntryStatus: oneOf(entryStatuses, "How far a run is; projected is what has none yet."),
  EventStepStatus: oneOf(events.stepStatuses, "How far a step is."),
  EventLogKind: oneOf(events.runLogKinds, "What happened."),
  PublicRunStatus: oneOf(publicStatuses, "How far a run is, in the words for everyone."),
  EventSpec: toOpenApi(specField),
  EventParamValue: { ...toOpenApi(paramValue), description: "The value where none is given." },
  EventAdvanceKind: oneOf(events.advanceKinds, "What lets a phase end."),
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
    stream: { type: "boolean", description: "Whether its events go out on the public stream." },
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
  ...eventWords(),
  Settings: whole(mapped(settings, ({ schema }) => toOpenApi(schema))),
  PublicSettings: whole({
    siteName: { type: "string" },
    ...publicFields(),
    vapidPublicKey: {
      type: "string",
      nullable: true,
      description: "What push messages are subscribed with; null while push is off.",
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
  Ruleset: nullable(payloadSeen("world.ruleset")),
});
