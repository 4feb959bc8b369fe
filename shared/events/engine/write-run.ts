import type { Transaction } from "sequelize";

import { firstRow } from "../../platform/db/rows.ts";
import { jsonRowAssignmentsSql, jsonRowsSql } from "../../platform/db/sql-text.ts";
import { type RunChange, phaseKey } from "../machine/run-change.ts";
import { isRunUnderWay, type RunState, type StepState } from "../machine/state.ts";
import { isTransitionRefusal, applyTransition, type RunInput } from "../machine/transition.ts";
import { announceRun, type RunDependencies } from "./announce-run.ts";
import type { LockedRun, StepTask } from "./lock-run.ts";

type ChangeResult = RunChange | { readonly refusal: string };

/** Applies one transition to a locked run and writes the result. */
export async function applyRunInput(
  locked: LockedRun,
  trigger: RunInput,
  transaction: Transaction,
  context: RunDependencies,
): Promise<ChangeResult> {
  const decided = applyTransition(locked.run, trigger, locked.now);
  if (!isTransitionRefusal(decided)) await writeRun(locked, decided, { transaction, context });
  return decided;
}

/** Thrown if a step was changed since it was read, without a change of the run's row. */
export class StepsChangedError extends Error {}

interface WriteOptions {
  readonly transaction: Transaction;
  readonly context: RunDependencies;
  /** A step whose parameters were filled in at its first claim. */
  readonly filled?: StepTask | undefined;
}

/**
 * Writes the new state of a locked run. One statement writes the run, its changed steps, its log
 * lines and the notification for live views; each step that became due gets a job. Announces public
 * changes.
 * @returns the run after the change
 * @throws StepsChangedError
 */
export async function writeRun(
  locked: LockedRun,
  change: RunChange,
  { transaction, context, filled }: WriteOptions,
): Promise<LockedRun> {
  const { run: before, facts } = locked;
  const { run, log } = change;
  if (run === before && log.length === 0) return locked;
  const known = new Map(before.steps.map((step) => [step.id, step]));
  const changed = run.steps.flatMap((step) => {
    const was = known.get(step.id);
    const params = filled?.id === step.id ? filled.params : undefined;
    const read = { statusWas: was?.status, attemptsWas: was?.attempts };
    return step === was ? [] : [{ ...step, params, ...read }];
  });
  const written = await firstRow<WriteResult>(transaction, statement, [
    run.id,
    JSON.stringify([rowOf(run, before)]),
    JSON.stringify(changed),
    JSON.stringify(log),
    JSON.stringify({ runId: run.id, stepIds: changed.map(({ id }) => id) }),
  ]);
  if (written?.steps !== changed.length) throw new StepsChangedError();
  for (const { id, dueAt } of findNewlyDue(before, run)) {
    const startAfter = dueAt && dueAt > new Date() ? { startAfter: dueAt } : {};
    await context.queue.enqueue(
      "event.step",
      { stepId: id },
      { key: String(id), within: transaction, ...startAfter },
    );
  }
  await announceRun(before, change, facts, { transaction, context });
  return { ...locked, run, writtenBy: written.writtenBy };
}

interface WriteResult extends Pick<LockedRun, "writtenBy"> {
  /** Number of steps that the statement wrote. */
  readonly steps: number;
}

function rowOf(run: RunState, before: RunState) {
  const own = Object.fromEntries(ownColumns.map((column) => [column, run[column]]));
  const gate = run.phases[run.phase ?? 0]?.gate;
  const isAwaited = isRunUnderWay(run) && gate?.kind === "trigger" && run.hits < gate.count;
  return {
    ...own,
    currentPhase: phaseKey(run, run.phase),
    // Listen until the gate has counted enough events of its trigger.
    listensFor: isAwaited ? gate.trigger : null,
    isNewPhase: run.phase !== before.phase,
  };
}

/** Returns the steps that became ready for a worker, or whose due time changed. */
function findNewlyDue(before: RunState, run: RunState): readonly StepState[] {
  if (run.status !== "running") return [];
  const waited = new Map(
    before.steps.map(({ id, status, dueAt }) => [id, status === "ready" ? dueAt?.valueOf() : null]),
  );
  return run.steps.filter(
    ({ id, status, dueAt }) =>
      status === "ready" && (before.status !== "running" || waited.get(id) !== dueAt?.valueOf()),
  );
}

/** Columns with the same name as their field of `RunState`. */
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

const givenSteps = {
  ...stepColumns,
  id: "integer",
  params: "jsonb",
  statusWas: "text",
  attemptsWas: "integer",
} as const;

const lineColumns = { stepId: "integer", phase: "text", kind: "text", detail: "jsonb" } as const;

/**
 * Writes a step only if it has not changed since it was read: processes of an earlier release change steps
 * without writing the run's row, so `lockRun` does not notice such a change.
 */
const statement = {
  name: "change of run",
  text: `
  with moved as (
    update event_runs set ${jsonRowAssignmentsSql(runColumns)},
      -- A phase counts only events that are stored after its start.
      heard = case when given."isNewPhase" and given."listensFor" is not null
        then (select coalesce(jsonb_object_agg(source, last), '{}') from event_news_sources)
        else heard end
    from ${jsonRowsSql("$2", { ...runColumns, isNewPhase: "boolean" })} where event_runs.id = $1
    returning event_runs.xmin::text as written_by
  ), stepped as (
    update event_steps set ${jsonRowAssignmentsSql(stepColumns)},
      params = coalesce(given.params, event_steps.params),
      is_filled = event_steps.is_filled or given.params is not null
    from ${jsonRowsSql("$3", givenSteps)}
    where event_steps.id = given.id and event_steps.run_id = $1
      and event_steps.status = given."statusWas" and event_steps.attempts = given."attemptsWas"
    returning event_steps.id
  ), logged as (
    insert into event_log_lines (run_id, step_id, phase, kind, detail)
    select $1, given."stepId", given.phase, given.kind, given.detail
    from ${jsonRowsSql("$4", lineColumns)}
  )
  select written_by as "writtenBy", (select count(*)::integer from stepped) as steps,
    pg_notify('event_changes', $5)
  from moved`,
};
