import type { Role } from "../../../models/auth/user.ts";
import type { ParamValues } from "../../facts/param.ts";
import { toJsonPointer } from "../../platform/errors/pointer-faults.ts";
import { readShardStatus } from "../../shard/public/status.ts";
import { readServers } from "../../survival/servers/read-servers.ts";
import { readActionSettings, type ConfiguredAction } from "../actions/action-settings.ts";
import { fillParams, checkParams } from "../actions/action.ts";
import type { EventContext } from "../context.ts";
import { resolveParams, findTemplateNames, collectTexts, findSoleTemplateName } from "../params.ts";
import { findFirstOccurrence } from "../schedule/schedule.ts";
import { findLowestCaps } from "../spec/budgets.ts";
import { fillSpecDefaults } from "../spec/complete.ts";
import type { EventSpec, StepSpec } from "../spec/spec.ts";
import { findSpecFaults } from "../spec/validate.ts";
import { parseServerId } from "../vocabulary.ts";

/** A problem that a dry run found. An error prevents scheduled starts; a warning does not. */
export interface DryRunFinding {
  readonly level: "error" | "warning";
  /** A JSON pointer into the definition. */
  readonly path: string;
  readonly message: string;
}

export interface DryRunReport {
  readonly ok: boolean;
  readonly findings: readonly DryRunFinding[];
  /** The amount of each budget dimension that a run spends if every step takes place. */
  readonly worstCase: Readonly<Record<string, number>>;
}

interface DryRunInput {
  readonly spec: unknown;
  readonly timezone: string;
  /** The caller's role. */
  readonly role: Role;
  /** True if a run is already scheduled, even if the schedule has no further occurrence. */
  readonly hasWaiting: boolean;
  readonly now: Date;
}

/** Checks an event against the present settings without running it. */
export async function dryRunEvent(
  { spec: given, timezone, role, ...standing }: DryRunInput,
  context: EventContext,
): Promise<DryRunReport> {
  const faults = findSpecFaults(given, timezone);
  if (faults.length > 0) {
    const findings = faults.map(({ path, message }) => error(path, message));
    return { ok: false, findings, worstCase: {} };
  }
  const spec = fillSpecDefaults(given);
  const switchboard = await readActionSettings(context);
  const steps = listSteps(spec, switchboard);
  const known = valuesAtStart(spec);
  const worstCase = computeWorstCase(steps, spec, known);
  const findings = [
    ...scheduleFindings(spec, timezone, standing),
    ...paramFindings(spec),
    ...steps.flatMap((step) => stepFindings(step, known, role)),
    ...capFindings(spec, switchboard, worstCase),
    ...(await scopeFindings(spec, context)),
  ];
  return { ok: findings.every(({ level }) => level !== "error"), findings, worstCase };
}

const error = (path: string, message: string): DryRunFinding => ({ level: "error", path, message });
const warning = (path: string, message: string): DryRunFinding => ({
  level: "warning",
  path,
  message,
});

interface StepWithPath {
  readonly step: StepSpec;
  readonly path: string;
  readonly switched: ConfiguredAction;
}

function listSteps(
  { phases }: EventSpec,
  switchboard: readonly ConfiguredAction[],
): StepWithPath[] {
  const byId = new Map(switchboard.map((one) => [one.action.id, one]));
  return phases.flatMap(({ steps }, phase) =>
    steps.map((step, index) => ({
      step,
      path: toJsonPointer(["spec", "phases", phase, "steps", index]),
      switched: byId.get(step.actionId) as ConfiguredAction,
    })),
  );
}

/** An exhausted schedule is only a warning if a run waits: an error would leave that run's version unverified. */
function scheduleFindings(
  { schedule }: EventSpec,
  timezone: string,
  { now, hasWaiting }: Pick<DryRunInput, "now" | "hasWaiting">,
): DryRunFinding[] {
  if (schedule.kind === "manual" || findFirstOccurrence(schedule, timezone, now)) return [];
  const finding = hasWaiting ? warning : error;
  return [finding("/spec/schedule", "the schedule has no occurrence from now on")];
}

/** Scheduled runs receive no parameters, so each required parameter needs a default. */
function paramFindings({ schedule, params }: EventSpec): DryRunFinding[] {
  const isScheduled = schedule.kind !== "manual";
  return params.flatMap(({ name, required, default: standard }, index) => {
    if (!required || (standard !== undefined && standard !== null)) return [];
    const path = toJsonPointer(["spec", "params", index]);
    return isScheduled
      ? [error(path, `${name} is required and has no default: scheduled runs cannot start`)]
      : [warning(path, `${name} has no default: give a value at each start`)];
  });
}

/**
 * Returns the values that are known before a run starts. A scheduled run receives no parameters, so its optional
 * parameters without a default have no value. A person who starts a run may give a value.
 */
function valuesAtStart({ schedule, params }: EventSpec): ParamValues {
  const { values } = resolveParams(params, {});
  if (schedule.kind === "manual") return values;
  const optional = params.filter(({ required }) => !required);
  const absent = optional.map(({ name }): [string, unknown] => [name, undefined]);
  return { ...Object.fromEntries(absent), ...values };
}

function stepFindings(placed: StepWithPath, known: ParamValues, role: Role): DryRunFinding[] {
  const { path, switched } = placed;
  const { action, enabled, changesWorld } = switched;
  const { filled, waiting } = fillKnownParams(placed, known);
  return [
    ...(enabled ? [] : [error(`${path}/actionId`, `${action.id} is switched off`)]),
    ...(changesWorld && role !== "admin"
      ? [warning(`${path}/actionId`, `${action.id} runs only if an administrator starts the run`)]
      : []),
    ...checkParams(action, filled, waiting).map(({ param, message }) =>
      error(`${path}/params/${param}`, `${param} ${message}`),
    ),
  ];
}

interface FilledParams {
  readonly filled: ParamValues;
  /** Names of the step's parameters whose templates have values only during a run. */
  readonly waiting: ReadonlySet<string>;
}

/** Fills in the parameters of a step that use only values known before a run. */
function fillKnownParams({ step, switched }: StepWithPath, known: ParamValues): FilledParams {
  const isKnown = (value: unknown): boolean =>
    collectTexts(value)
      .flatMap(findTemplateNames)
      .every((name) => Object.hasOwn(known, name));
  const { ready = [], waiting = [] } = Object.groupBy(Object.entries(step.params), ([, value]) =>
    isKnown(value) ? "ready" : "waiting",
  );
  return {
    filled: fillParams(switched.action, Object.fromEntries(ready), known),
    waiting: new Set(waiting.map(([name]) => name)),
  };
}

function computeWorstCase(
  steps: readonly StepWithPath[],
  spec: EventSpec,
  known: ParamValues,
): Record<string, number> {
  const total: Record<string, number> = {};
  for (const placed of steps) {
    const { filled, waiting } = fillKnownParams(placed, known);
    const given = { ...filled, ...findMaxima(placed, waiting, spec) };
    for (const [dimension, amount] of Object.entries(placed.switched.action.spendOf(given))) {
      total[dimension] = (total[dimension] ?? 0) + amount;
    }
  }
  return total;
}

/** Returns the maxima of numeric parameters whose values are known only during a run. */
function findMaxima(
  { step, switched }: StepWithPath,
  unknownNames: ReadonlySet<string>,
  { params: declared }: EventSpec,
): ParamValues {
  const boundOf = (value: unknown): number | undefined => {
    const named = typeof value === "string" ? findSoleTemplateName(value) : undefined;
    return declared.find(({ name }) => name === named)?.max;
  };
  const bounds = switched.action.params.flatMap(({ name, min = 0, max }): [string, number][] => {
    if (max === undefined || !unknownNames.has(name)) return [];
    return [[name, Math.max(min, Math.min(max, boundOf(step.params[name]) ?? max))]];
  });
  return Object.fromEntries(bounds);
}

function capFindings(
  spec: EventSpec,
  switchboard: readonly ConfiguredAction[],
  worstCase: DryRunReport["worstCase"],
): DryRunFinding[] {
  return findLowestCaps(spec, switchboard).flatMap(({ dimension, cap, actionId }) => {
    const worst = worstCase[dimension] ?? 0;
    if (worst <= cap) return [];
    return [
      error(
        "/spec/phases",
        `${dimension}: a run may spend ${worst}, but the cap of ${actionId} is ${cap}`,
      ),
    ];
  });
}

async function scopeFindings(
  { scope }: EventSpec,
  context: EventContext,
): Promise<DryRunFinding[]> {
  const serverId = parseServerId(scope);
  if (serverId !== null) return serverFindings(serverId, context);
  if (scope !== "shard") return [];
  const { pluginConnected } = await readShardStatus(context.sequelize);
  return pluginConnected ? [] : [warning("/spec/scope", "the shard is not connected now")];
}

async function serverFindings(serverId: number, context: EventContext): Promise<DryRunFinding[]> {
  const servers = await readServers(context);
  const found = servers.find(({ server }) => server.id === serverId);
  if (!found) return [error("/spec/scope", `there is no survival server ${serverId}`)];
  return found.online ? [] : [warning("/spec/scope", "the survival server is not connected now")];
}
