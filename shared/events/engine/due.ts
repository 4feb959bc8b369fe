import type { Sequelize } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import { rows } from "../../platform/db/rows.ts";
import { areStepsPausedSql } from "./runs.sql.ts";

type IdRow = Pick<EventRun | EventStep, "id">;

const idsOf = (found: readonly IdRow[]): number[] => found.map(({ id }) => id);

/** Minimum grace of a run, because workers look for due runs only once a second. */
export const minGraceSeconds = 5;

/** Returns runs to start or to mark as missed; omits runs that wait for a slot or verification. */
export const findDueRuns = async (sequelize: Sequelize, limit: number): Promise<number[]> =>
  idsOf(
    await rows<IdRow>(
      sequelize,
      `select run.id from event_runs run join event_versions version on version.id = run.version_id
       where run.status = 'scheduled'
         and coalesce(run.scheduled_for, run.created_at) <= clock_timestamp()
         and (run.unfit_reason is not null
           or coalesce(run.scheduled_for, run.created_at) + make_interval(secs =>
             greatest(version.grace_seconds, ${minGraceSeconds})) < clock_timestamp()
           or (run.rehearsal or run.scheduled_for is null or version.verified_at is not null)
             and (run.rehearsal or run.concurrency_key is null or not exists (
               select from event_runs other
               where other.concurrency_key = run.concurrency_key
                 and other.status in ('running', 'paused') and not other.rehearsal)))
       order by coalesce(run.scheduled_for, run.created_at), run.id limit $1`,
      [limit],
    ),
  );

/**
 * Returns the running runs whose gate opens by time or times out now. Omits runs with an unfinished
 * step in the phase: the gate is evaluated when the last step ends.
 */
export const findDueGates = async (sequelize: Sequelize, limit: number): Promise<number[]> =>
  idsOf(
    await rows<IdRow>(
      sequelize,
      `select run.id from event_runs run
       where run.status = 'running' and run.gate_due_at <= clock_timestamp()
         and not exists (
           select from event_steps step
           where step.run_id = run.id and step.phase = run.current_phase
             and step.status in ('pending', 'ready', 'running'))
       order by run.gate_due_at limit $1`,
      [limit],
    ),
  );

/**
 * Returns the steps that a worker may claim, and the steps whose lease expired. Omits steps in the present phase
 * of a paused run: they are the oldest steps, so they would fill the limit.
 */
export const findDueSteps = async (sequelize: Sequelize, limit: number): Promise<number[]> =>
  idsOf(
    await rows<IdRow>(
      sequelize,
      `(select step.id, step.due_at as since
        from event_steps step join event_runs run on run.id = step.run_id
        where step.status = 'ready' and step.due_at <= clock_timestamp() and run.status = 'running'
          and not ${areStepsPausedSql}
        order by step.due_at limit $1)
       union all
       (select step.id, step.lease_until
        from event_steps step join event_runs run on run.id = step.run_id
        where step.status = 'running' and step.lease_until < clock_timestamp()
          and not (run.status = 'paused' and step.phase = run.current_phase)
          and not ${areStepsPausedSql}
        order by step.lease_until limit $1)
       order by since limit $1`,
      [limit],
    ),
  );
