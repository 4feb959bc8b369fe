import type { Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import type { PreparedStatement } from "../../platform/db/named-statements.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import { isAnnounced } from "../announced/announced.ts";
import type { PhaseState, RunState, StepState } from "../machine/state.ts";
import type { Gate } from "../spec/spec.ts";
import { areStepsPaused } from "./paused-steps.ts";

/** A run that nobody else changes, and the moment at which that began. */
export interface LockedRun {
  readonly run: RunState;
  readonly now: Date;
  readonly facts: RunFacts;
  /** The work of the steps that are under way, due, or first in line, by their ids. */
  readonly atHand: ReadonlyMap<number, StepWork>;
}

/** What a worker needs of a step beside its state. */
export type StepWork = Pick<EventStep, (typeof stepWorkAttributes)[number]>;

export const stepWorkAttributes = [
  "id",
  "runId",
  "actionId",
  "budgetMs",
  "idempotencyKey",
  "phase",
  "params",
  "isFilled",
] as const;

/** What the machine has no part in. */
export interface RunFacts extends Readonly<
  Pick<
    EventRun,
    "versionId" | "definitionId" | "scope" | "rehearsal" | "params" | "listensFor" | "heard"
  >
> {
  /** Whether everybody may know of its event, as it is published now. */
  readonly isAnnounced: boolean;
  /** Nobody begins a step of any run. */
  readonly areStepsPaused: boolean;
  /** Of all that the version declares, also of those that were not given. */
  readonly paramNames: readonly string[];
}

interface LockOptions {
  /** Leaves a run alone that somebody else is at. */
  readonly skipLocked?: boolean;
}

interface RunRow
  extends Omit<RunState, "phases" | "steps" | "hits" | "lastHit" | "phase">, RunFacts {
  readonly currentPhase: string | null;
  readonly gates: readonly { readonly key: string; readonly gate: Gate }[];
  readonly now: Date;
}

/** The clock is read once the lock is held: what was due by then is due. */
const runStatement = (name: string, which: string, lock = ""): PreparedStatement => ({
  name,
  text: `
  with locked as materialized (
    select * from event_runs where id = ${which} for no key update ${lock}
  )
  select locked.id, locked.version_id as "versionId", locked.definition_id as "definitionId", locked.scope, locked.rehearsal,
    ${isAnnounced("locked.definition_id")} as "isAnnounced", locked.params,
    ${areStepsPaused} as "areStepsPaused",
    array(select param ->> 'name' from jsonb_array_elements(version.spec -> 'params') as param)
      as "paramNames",
    locked.listens_for as "listensFor", locked.heard,
    locked.status, locked.health, locked.current_phase as "currentPhase",
    locked.phase_began_at as "phaseBeganAt", locked.phase_paused_ms::float8 as "phasePausedMs",
    locked.gate_due_at as "gateDueAt", locked.paused_at as "pausedAt",
    locked.paused_by_step as "pausedByStep", locked.variables, locked.last_error as "lastError",
    locked.started_at as "startedAt", locked.ended_at as "endedAt",
    (select jsonb_agg(jsonb_build_object('key', phase -> 'key', 'gate', phase -> 'advance')
       order by place)
     from jsonb_array_elements(version.spec -> 'phases') with ordinality as phases (phase, place)
    ) as gates,
    clock_timestamp() as now
  from locked join event_versions version on version.id = locked.version_id`,
});

/**
 * Steps, and what the gate of the phase has counted. A statement of its own: the one that waits for
 * the lock sees of other tables what was there before the wait.
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
      then jsonb_build_object('id', step.id, 'runId', run_id, 'actionId', action_id,
        'budgetMs', budget_ms, 'idempotencyKey', idempotency_key, 'phase', step.phase,
        'params', params, 'isFilled', is_filled)
    end as work,
    counted.hits, counted."lastHit"
  from (
    select count(*)::int as hits, (array_agg(variables order by at desc))[1] as "lastHit"
    from event_trigger_hits where run_id = $1 and event_trigger_hits.phase = $2
  ) counted left join event_steps step on step.run_id = $1
  order by phase_index, seq`,
};

const runInTurn = runStatement("run", "$1");
const runUnlessLocked = runStatement("run unless locked", "$1", "skip locked");

/** Locks a run: every change of it and of its steps begins here. @returns null for none */
export const lockRun = (
  runId: number,
  transaction: Transaction,
  { skipLocked = false }: LockOptions = {},
): Promise<LockedRun | null> =>
  lockBy(skipLocked ? runUnlessLocked : runInTurn, runId, transaction);

/** The same for the run of a step; null as well while somebody else is at the run. */
export const lockRunOfStep = (
  stepId: number,
  transaction: Transaction,
): Promise<LockedRun | null> => lockBy(ofStep, stepId, transaction);

const ofStep = runStatement(
  "run of step",
  "(select run_id from event_steps where event_steps.id = $1)",
  "skip locked",
);

async function lockBy(
  statement: PreparedStatement,
  id: number,
  transaction: Transaction,
): Promise<LockedRun | null> {
  const row = await firstRow<RunRow>(transaction, statement, [id]);
  if (!row) return null;
  const { now, gates, currentPhase, versionId, definitionId, scope, rehearsal, params, ...others } =
    row;
  const { isAnnounced: isPublic, areStepsPaused: arePaused, ...more } = others;
  const { paramNames, listensFor, heard, ...rest } = more;
  const phases: PhaseState[] = gates.map(({ key, gate }) => ({ key, gate }));
  const present = phases.findIndex(({ key }) => key === currentPhase);
  const phase = present === -1 ? null : present;
  const { atHand, ...held } = await readSteps(rest.id, phases[present], transaction);
  const run = { ...rest, ...held, phases, phase };
  const facts = {
    versionId,
    definitionId,
    scope,
    rehearsal,
    isAnnounced: isPublic,
    areStepsPaused: arePaused,
    params,
    paramNames,
    listensFor,
    heard,
  };
  return { run, now, facts, atHand };
}

type Counted = Pick<RunState, "hits" | "lastHit">;

type StepRow = Omit<StepState, "id"> &
  Counted & { readonly id: number | null; readonly work: StepWork | null };

type Held = Counted & Pick<RunState, "steps"> & Pick<LockedRun, "atHand">;

async function readSteps(
  runId: number,
  phase: PhaseState | undefined,
  transaction: Transaction,
): Promise<Held> {
  const counts = phase?.gate.kind === "trigger" ? phase.key : null;
  const found = await rows<StepRow>(transaction, stepsStatement, [runId, counts]);
  const { hits = 0, lastHit = null } = found[0] ?? {};
  const steps = found.flatMap(({ id, hits: _hits, lastHit: _lastHit, work: _work, ...step }) =>
    // A run without steps has one row of counts alone.
    id === null ? [] : [{ id, ...step }],
  );
  const atHand = new Map(found.flatMap(({ work }) => (work ? [[work.id, work] as const] : [])));
  return { hits, lastHit, steps, atHand };
}
