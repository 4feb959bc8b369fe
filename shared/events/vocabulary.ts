// CATALOGUE of the words of the event module, as `GET /admin/events/catalog` serves them. The list of
// actions stands in `actions/catalogue.ts`, that of triggers in `triggers/triggers.ts`.

/** What an action may do, the harmless first. */
export const risks = ["inspect", "notify", "world", "destructive"] as const;
export type Risk = (typeof risks)[number];

/** Actions of these risks are off until an administrator switches them on, and run for administrators alone. */
export const worldChangingRisks = ["world", "destructive"] as const satisfies readonly Risk[];

export const changesWorld = (risk: Risk): boolean =>
  (worldChangingRisks as readonly Risk[]).includes(risk);

/** What becomes of the run when a step fails. */
export const onFailures = ["continue", "pause", "abort", "park"] as const;
export type OnFailure = (typeof onFailures)[number];

export const onFailureByRisk = {
  inspect: "continue",
  notify: "continue",
  world: "pause",
  destructive: "pause",
} as const satisfies Readonly<Record<Risk, OnFailure>>;

export const scheduleKinds = ["manual", "once", "recurring"] as const;

/** What lets a phase end: all its steps, time since it began, events that match, or a person. */
export const advanceKinds = ["steps", "after", "trigger", "manual"] as const;

/** What a gate does when its events do not come in time. */
export const onTimeouts = ["advance", "pause"] as const;
export type OnTimeout = (typeof onTimeouts)[number];

export const operators = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "contains",
  "exists",
] as const;
export type Operator = (typeof operators)[number];

/** Where a run takes place: gates hear what happens there. */
export type Scope = "site" | "shard" | `survival:${number}` | "survival:*";

/** A survival server is named by its id; `survival:*` are all of them. */
export const scopePattern = /^(site|shard|survival:(\*|[1-9]\d{0,8}))$/;

/** The survival server that a scope names; null for one that names none. */
export function serverIdOf(scope: Scope): number | null {
  const id = Number(scope.split(":")[1]);
  return id > 0 ? id : null;
}

export const definitionStates = ["draft", "ready", "archived"] as const;
export type DefinitionState = (typeof definitionStates)[number];

export const runStatuses = [
  "scheduled",
  "running",
  "paused",
  "completed",
  "cancelled",
  "failed",
  "missed",
] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runHealths = ["ok", "degraded"] as const;

export const stepStatuses = [
  "pending",
  "ready",
  "running",
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
] as const;

export type StepStatus = (typeof stepStatuses)[number];

export const runLogKinds = [
  "created",
  "repinned",
  "started",
  "phase",
  "step.started",
  "step.succeeded",
  "step.failed",
  "step.retried",
  "step.skipped",
  "step.confirmed",
  "parked",
  "refused",
  "budget",
  "paused",
  "resumed",
  "advanced",
  "cancelled",
  "completed",
  "failed",
  "missed",
  "trigger",
] as const;
export type RunLogKind = (typeof runLogKinds)[number];

/** The numbers that the catalogue shows. */
export const eventLimits = {
  maxPhases: 20,
  maxStepsPerPhase: 25,
  maxSteps: 200,
  /** Of one attempt of a step. */
  defaultBudgetMs: 60_000,
  maxAdvanceCount: 1_000,
  /** A week. */
  maxAfterSeconds: 604_800,
} as const;
