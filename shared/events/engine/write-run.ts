import type { Transaction } from "sequelize";

import type { Values } from "../../facts/param.ts";
import type { Context } from "../../platform/context.ts";
import { countChanged } from "../../platform/db/rows.ts";
import { givenAssignments, rowsGivenAs } from "../../platform/db/sql-text.ts";
import { type Change, phaseKey } from "../machine/change.ts";
import { isUnderWay, type RunState, type StepState } from "../machine/state.ts";

export interface Writing {
  readonly transaction: Transaction;
  readonly context: Pick<Context, "queue">;
  /** Parameters that were filled in at the first claim. */
  readonly filled?: Filled | undefined;
}

export interface Filled {
  readonly stepId: number;
  readonly params: Values;
}

const withParams = (step: StepState, filled: Filled | undefined) =>
  filled?.stepId === step.id ? { ...step, params: filled.params } : step;

/**
 * Writes what a transition made of a run: the run, the steps that changed, the lines of its log and
 * the hint for live views in one statement, and a job for each step that became due.
 */
export async function writeChange(
  before: RunState,
  { run, log }: Change,
  { transaction, context, filled }: Writing,
): Promise<void> {
  if (run === before && log.length === 0) return;
  const known = new Map(before.steps.map((step) => [step.id, step]));
  const changed = run.steps.filter((step) => step !== known.get(step.id));
  const stepIds = changed.map(({ id }) => id);
  await countChanged(transaction, statement, [
    run.id,
    JSON.stringify(isSameRow(before, run) ? [] : [rowOf(run, before)]),
    JSON.stringify(changed.map((step) => withParams(step, filled))),
    JSON.stringify(log),
    JSON.stringify({ runId: run.id, stepIds }),
  ]);
  for (const { id, dueAt } of becameDue(before, run)) {
    const startAfter = dueAt && dueAt > new Date() ? { startAfter: dueAt } : {};
    await context.queue.enqueue(
      "event.step",
      { stepId: id },
      { key: String(id), within: transaction, ...startAfter },
    );
  }
}

/** Most changes are of steps alone. */
const isSameRow = (before: RunState, run: RunState): boolean =>
  run.phase === before.phase &&
  awaitedKind(run) === awaitedKind(before) &&
  ownColumns.every((column) => run[column] === before[column]);

/** The columns of a run, as the statement takes them. */
const rowOf = (run: RunState, before: RunState) => ({
  ...Object.fromEntries(ownColumns.map((column) => [column, run[column]])),
  currentPhase: phaseKey(run, run.phase),
  listensFor: awaitedKind(run),
  isNewPhase: run.phase !== before.phase,
});

/** The kind of event that the present gate counts, until it has enough of them. */
function awaitedKind(run: RunState): string | null {
  const gate = run.phases[run.phase ?? 0]?.gate;
  const isHeard = isUnderWay(run) && gate?.kind === "trigger" && run.hits < gate.count;
  return isHeard ? gate.trigger : null;
}

/** What waits for a worker now and did not before, or not for the same time. */
function becameDue(before: RunState, run: RunState): readonly StepState[] {
  if (run.status !== "running") return [];
  const waited = new Map(
    before.steps.map(({ id, status, dueAt }) => [id, status === "ready" ? dueAt?.valueOf() : null]),
  );
  return run.steps.filter(
    ({ id, status, dueAt }) =>
      status === "ready" && (before.status !== "running" || waited.get(id) !== dueAt?.valueOf()),
  );
}

/** Those that a run's state holds by the same name. */
const stateColumns = {
  status: "text",
  health: "text",
  phaseBeganAt: "timestamptz",
  phasePausedMs: "bigint",
  gateDueAt: "timestamptz",
  pausedAt: "timestamptz",
  pausedByStep: "integer",
  variables: "jsonb",
  lastError: "text",
  startedAt: "timestamptz",
  endedAt: "timestamptz",
} as const;

const ownColumns = Object.keys(stateColumns) as (keyof typeof stateColumns)[];

const runColumns = { ...stateColumns, currentPhase: "text", listensFor: "text" } as const;

const stepColumns = {
  status: "text",
  dueAt: "timestamptz",
  attempts: "integer",
  triesAllowed: "integer",
  leaseOwner: "text",
  leaseUntil: "timestamptz",
  parkedFor: "text",
  confirmedAt: "timestamptz",
  hasWaited: "boolean",
  firstUnknownAt: "timestamptz",
  result: "jsonb",
  lastError: "text",
  startedAt: "timestamptz",
  finishedAt: "timestamptz",
} as const;

const lineColumns = { stepId: "integer", phase: "text", kind: "text", detail: "jsonb" } as const;

const statement = {
  name: "change of run",
  text: `
  with moved as (
    update event_runs set ${givenAssignments(runColumns)},
      -- A phase hears what is stored from its beginning on.
      heard = case when given."isNewPhase" and given."listensFor" is not null
        then (select coalesce(jsonb_object_agg(source, last), '{}') from event_news_sources)
        else heard end
    from ${rowsGivenAs("$2", { ...runColumns, isNewPhase: "boolean" })} where event_runs.id = $1
  ), stepped as (
    update event_steps set ${givenAssignments(stepColumns)},
      params = coalesce(given.params, event_steps.params),
      is_filled = event_steps.is_filled or given.params is not null
    from ${rowsGivenAs("$3", { ...stepColumns, id: "integer", params: "jsonb" })}
    where event_steps.id = given.id and event_steps.run_id = $1
  ), logged as (
    insert into event_log_lines (run_id, step_id, phase, kind, detail)
    select $1, given."stepId", given.phase, given.kind, given.detail
    from ${rowsGivenAs("$4", lineColumns)}
  )
  select pg_notify('event_changes', $5)`,
};
