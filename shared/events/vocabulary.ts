// CATALOGUE of the terms of the event module, as `GET /admin/events/catalog` serves them. Actions
// are listed in `actions/catalogue.ts`, triggers in `shared/facts/triggers.ts`.

/** The risks of actions, the most harmless first. */
export const risks = ["inspect", "notify", "world", "destructive"] as const;
export type ActionRisk = (typeof risks)[number];

/** Actions with these risks are off by default, and only runs of administrators may use them. */
export const worldChangingRisks = ["world", "destructive"] as const satisfies readonly ActionRisk[];

export const changesWorld = (risk: ActionRisk): boolean =>
  (worldChangingRisks as readonly ActionRisk[]).includes(risk);

/** The effects of a failed step on its run. */
export const failureReactions = ["continue", "pause", "abort", "park"] as const;
export type FailureReaction = (typeof failureReactions)[number];

export const failureReactionByRisk = {
  inspect: "continue",
  notify: "continue",
  world: "pause",
  destructive: "pause",
} as const satisfies Readonly<Record<ActionRisk, FailureReaction>>;

export const scheduleKinds = ["manual", "once", "recurring"] as const;

/** A phase ends when all its steps have ended, after a time, after matching events, or when a person ends it. */
export const gateKinds = ["steps", "after", "trigger", "manual"] as const;

/** The reactions of a gate to its timeout. */
export const timeoutReactions = ["advance", "pause"] as const;
export type TimeoutReaction = (typeof timeoutReactions)[number];

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

/** The site or the games whose events a run counts at its gates. */
export type RunScope = "site" | "shard" | `survival:${number}` | "survival:*";

/** A survival server is named by its id; `survival:*` stands for all of them. */
export const scopePattern = /^(site|shard|survival:(\*|[1-9]\d{0,8}))$/;

/** Returns the survival server that a scope names, or null. */
export function parseServerId(scope: RunScope): number | null {
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

/** Limits that the catalog shows. */
export const eventLimits = {
  maxPhases: 20,
  maxStepsPerPhase: 25,
  maxSteps: 200,
  /** Time limit of one attempt of a step. */
  defaultBudgetMs: 60_000,
  maxAdvanceCount: 1_000,
  /** A week. */
  maxAfterSeconds: 604_800,
} as const;
