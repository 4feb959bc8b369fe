import type { Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import type { PreparedStatement } from "../../platform/db/named-statements.ts";
import { firstRow, type NullColumns, rows } from "../../platform/db/rows.ts";
import { isAnnouncedSql } from "../announced/announced.ts";
import type { PhaseState, RunState, StepState } from "../machine/state.ts";
import { areStepsPausedSql } from "./runs.sql.ts";

/** A run that this transaction has locked, as of the moment of the lock. */
export interface LockedRun {
  readonly run: RunState;
  readonly now: Date;
  readonly facts: RunMetadata;
  /** The tasks of the steps that are running or ready, and of the next pending step, by step id. */
  readonly work: ReadonlyMap<number, StepTask>;
  /**
   * The id of the transaction that last wrote the run's row. Each change of the run or of its steps writes this
   * row, so a state that was read with the same id is current.
   */
  readonly writtenBy: string;
}

/** The fields of a step that a worker needs in addition to its state. */
export type StepTask = Pick<
  EventStep,
  | "id"
  | "runId"
  | "actionId"
  | "budgetMs"
  | "idempotencyKey"
  | "phase"
  /** The templates, or the filled-in values if `isFilled` is true. */
  | "params"
  | "isFilled"
>;

/** Fields of a run that no transition reads or changes. */
export interface RunMetadata extends Readonly<
  Pick<
    EventRun,
    "versionId" | "definitionId" | "scope" | "rehearsal" | "params" | "listensFor" | "heard"
  >
> {
  /** True if the current version of the event is public. */
  readonly isAnnounced: boolean;
  /** True if an administrator paused the steps of all runs. */
  readonly areStepsPaused: boolean;
  /** Names of all parameters of the version, including those without a value. */
  readonly paramNames: readonly string[];
}

interface LockOptions {
  /** "run of step" takes the id of a step, the others take the id of a run. */
  readonly by?: keyof typeof statements;
  /** An earlier state of the run, which is used again if the run has not changed since. */
  readonly known?: LockedRun;
}

interface RunRow extends Omit<RunState, "steps" | "hits" | "lastHit" | "phase"> {
  readonly currentPhase: string | null;
  readonly facts: RunMetadata;
  readonly now: Date;
  readonly writtenBy: string;
  readonly ahead: StepTask | null;
}

const taskSql = (step: string): string => `
  jsonb_build_object('id', ${step}.id, 'runId', ${step}.run_id, 'actionId', ${step}.action_id,
    'budgetMs', ${step}.budget_ms, 'idempotencyKey', ${step}.idempotency_key,
    'phase', ${step}.phase, 'params', ${step}.params, 'isFilled', ${step}.is_filled)`;

/**
 * Read the clock after the lock, so that work whose due time passed during the wait is due. A statement that
 * waits for a lock reads the locked row as it is after the wait, and other rows as before the wait.
 */
const runStatement = (name: string, which: string, lock = ""): PreparedStatement => ({
  name,
  text: `
  with locked as materialized (
    select *, xmin::text as written_by from event_runs where id = ${which}
    for no key update ${lock}
  )
  select locked.id, locked.status, locked.health, locked.current_phase as "currentPhase",
    locked.phase_began_at as "phaseBeganAt", locked.phase_paused_ms::float8 as "phasePausedMs",
    locked.gate_due_at as "gateDueAt", locked.paused_at as "pausedAt",
    locked.paused_by_step as "pausedByStep", locked.variables, locked.last_error as "lastError",
    locked.started_at as "startedAt", locked.ended_at as "endedAt",
    locked.written_by as "writtenBy", clock_timestamp() as now,
    jsonb_build_object('versionId', locked.version_id, 'definitionId', locked.definition_id,
      'scope', locked.scope, 'rehearsal', locked.rehearsal, 'params', locked.params,
      'listensFor', locked.listens_for, 'heard', locked.heard,
      'isAnnounced', ${isAnnouncedSql("locked.definition_id")}, 'areStepsPaused', ${areStepsPausedSql},
      'paramNames', array(
        select param ->> 'name' from jsonb_array_elements(version.spec -> 'params') as param)
    ) as facts,
    (select jsonb_agg(jsonb_build_object('key', phase -> 'key', 'gate', phase -> 'advance')
       order by place)
     from jsonb_array_elements(version.spec -> 'phases') with ordinality as phases (phase, place)
    ) as phases,
    (select ${taskSql("step")} from event_steps step where step.id = $2::integer) as ahead
  from locked join event_versions version on version.id = locked.version_id`,
});

/** The last two statements skip a run that another transaction has locked. */
const statements = {
  run: runStatement("run", "$1"),
  "run unless locked": runStatement("run unless locked", "$1", "skip locked"),
  "run of step": runStatement(
    "run of step",
    "(select run_id from event_steps where event_steps.id = $1)",
    "skip locked",
  ),
} as const;

/**
 * Reads the steps and the events that the gate of the phase has counted. It is a separate
 * statement: the statement that waits for the lock sees these rows as of its start.
 */
const stepsStatement = {
  name: "steps of run",
  text: `
  select step.id, phase_index as phase, seq, offset_seconds as "offsetSeconds",
    on_failure as "onFailure", confirm, max_attempts as "maxAttempts", status,
    due_at as "dueAt", attempts, tries_allowed as "triesAllowed", lease_owner as "leaseOwner",
    lease_until as "leaseUntil", parked_for as "parkedFor", confirmed_at as "confirmedAt",
    has_waited as "hasWaited", first_unknown_at as "firstUnknownAt", result,
    last_error as "lastError", started_at as "startedAt", finished_at as "finishedAt",
    case when status in ('ready', 'running') or
        status = 'pending' and row_number() over (partition by status order by phase_index, seq) = 1
      then ${taskSql("step")}
    end as work,
    counted.gate
  from (
    select jsonb_build_object('hits', count(*),
      'lastHit', (array_agg(variables order by at desc))[1]) as gate
    from event_trigger_hits where run_id = $1 and event_trigger_hits.phase = $2
  ) counted left join event_steps step on step.run_id = $1
  order by phase_index, seq`,
};

interface StepWithWork extends StepState {
  readonly work: StepTask | null;
}

/** A row with a step. A run without steps has one row with nulls. */
type StepRow = (StepWithWork | NullColumns<StepWithWork>) & {
  readonly gate: Pick<RunState, "hits" | "lastHit">;
};

/** Locks a run before a change. @returns null if the run is missing, or skipped because it is locked */
export async function lockRun(
  id: number,
  transaction: Transaction,
  { by = "run", known }: LockOptions = {},
): Promise<LockedRun | null> {
  const next = known?.run.steps.find(({ status }) => status === "pending");
  const row = await firstRow<RunRow>(transaction, statements[by], [id, next?.id]);
  if (!row) return null;
  const { facts, now, writtenBy, ahead, currentPhase, ...own } = row;
  if (known?.writtenBy === writtenBy) {
    const tasks = ahead ? new Map(known.work).set(ahead.id, ahead) : known.work;
    return { ...known, now, facts, work: tasks };
  }
  const present = own.phases.findIndex(({ key }) => key === currentPhase);
  const phase = present === -1 ? null : present;
  const { work, ...held } = await readSteps(own.id, own.phases[present], transaction);
  return { run: { ...own, ...held, phase }, now, facts, work, writtenBy };
}

async function readSteps(runId: number, phase: PhaseState | undefined, transaction: Transaction) {
  const counts = phase?.gate.kind === "trigger" ? phase.key : null;
  const found = await rows<StepRow>(transaction, stepsStatement, [runId, counts]);
  const steps: StepState[] = [];
  const tasks = new Map<number, StepTask>();
  for (const { gate: _gate, ...step } of found) {
    if (step.id === null) continue;
    const { work: ofStep, ...state } = step;
    steps.push(state);
    if (ofStep) tasks.set(ofStep.id, ofStep);
  }
  return { steps, work: tasks, ...(found[0]?.gate ?? { hits: 0, lastHit: null }) };
}
