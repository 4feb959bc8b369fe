import type { Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import { executeStatement, isUniqueViolation } from "../../platform/db/rows.ts";
import { columnNamesSql, jsonRowsSql, jsonRowValuesSql } from "../../platform/db/sql-text.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { findAction } from "../actions/catalogue.ts";
import type { EventContext } from "../context.ts";
import { addMs } from "../machine/state.ts";
import type { RunInput } from "../machine/transition.ts";
import { type EventSpec, specOf } from "../spec/spec.ts";
import { minGraceSeconds } from "./due.ts";
import { lockRun } from "./lock-run.ts";
import { applyRunInput } from "./write-run.ts";

/** Starts a due run, or marks it as missed with the reason if its time has passed. */
export async function startDueRun(runId: number, context: EventContext): Promise<void> {
  try {
    await inTransaction(context.sequelize, async (transaction) => {
      const locked = await lockRun(runId, transaction, { by: "run unless locked" });
      if (locked?.run.status !== "scheduled") return;
      const trigger = await findStartInput(runId, locked.now, transaction);
      if (trigger?.kind === "miss") await applyRunInput(locked, trigger, transaction, context);
      if (trigger?.kind === "start") await startRun(runId, transaction, context);
    });
  } catch (error) {
    // Another run with the same concurrency key has just started, so this run keeps waiting.
    if (!isUniqueViolation(error)) throw error;
  }
}

type StartInput = Extract<RunInput, { kind: "start" | "miss" }>;

/** Returns the transition input of a due run; null while it must wait */
async function findStartInput(
  runId: number,
  now: Date,
  transaction: Transaction,
): Promise<StartInput | null> {
  const run = await modelsOf(transaction).EventRun.findByPk(runId, {
    include: [{ association: "version", attributes: ["graceSeconds", "verifiedAt"] }],
    transaction,
    rejectOnEmpty: true,
  });
  const version = run.version as EventVersion;
  const dueAt = run.scheduledFor ?? run.createdAt;
  if (dueAt > now) return null;
  if (run.unfitReason !== null) return { kind: "miss", reason: run.unfitReason };
  const obstacle = await findObstacle(run, version, transaction);
  const grace = Math.max(version.graceSeconds, minGraceSeconds);
  const isLate = addMs(dueAt, grace * 1_000) < now;
  if (isLate) return { kind: "miss", reason: obstacle ?? "no worker" };
  return obstacle === null ? { kind: "start" } : null;
}

async function findObstacle(
  { id, rehearsal, scheduledFor, concurrencyKey }: EventRun,
  { verifiedAt }: EventVersion,
  transaction: Transaction,
): Promise<string | null> {
  if (rehearsal) return null;
  if (scheduledFor !== null && verifiedAt === null) return "not verified";
  if (concurrencyKey === null) return null;
  const holder = await modelsOf(transaction).EventRun.findOne({
    attributes: ["id"],
    where: { concurrencyKey, rehearsal: false, status: ["running", "paused"] },
    transaction,
  });
  return holder && holder.id !== id ? "slot taken" : null;
}

async function startRun(
  runId: number,
  transaction: Transaction,
  context: EventContext,
): Promise<void> {
  const { EventRun: Run } = modelsOf(transaction);
  const { version } = await Run.findByPk(runId, {
    include: ["version"],
    transaction,
    rejectOnEmpty: true,
  });
  await writeSteps(runId, specOf(version as EventVersion), transaction);
  const locked = await lockRun(runId, transaction);
  if (locked) await applyRunInput(locked, { kind: "start" }, transaction, context);
}

const columns = {
  phase: "text",
  phaseIndex: "smallint",
  seq: "smallint",
  key: "text",
  actionId: "text",
  actionVersion: "integer",
  params: "jsonb",
  offsetSeconds: "integer",
  onFailure: "text",
  confirm: "boolean",
  budgetMs: "integer",
  maxAttempts: "integer",
  triesAllowed: "integer",
} as const;

/**
 * The idempotency key contains the id of the database. A new database counts ids from 1 again, and
 * a game server that knows the key of an old step would not carry out the effect.
 */
const statement = `
  with given as (
    select nextval(pg_get_serial_sequence('event_steps', 'id'))::integer as id, given.*
    from ${jsonRowsSql("$2", columns)}
  )
  insert into event_steps (id, run_id, ${columnNamesSql(columns)}, idempotency_key)
  select given.id, $1::integer, ${jsonRowValuesSql(columns)},
    format('evt:%s:%s:%s', installation.uuid, $1::integer, given.id)
  from given cross join event_installation installation`;

async function writeSteps(
  runId: number,
  { phases }: EventSpec,
  transaction: Transaction,
): Promise<void> {
  const steps = phases.flatMap(({ key: phase, steps: of }, phaseIndex) =>
    of.map(({ maxAttempts, ...step }, index) => ({
      ...step,
      phase,
      phaseIndex,
      seq: index + 1,
      actionVersion: findAction(step.actionId)?.version ?? 0,
      maxAttempts,
      triesAllowed: maxAttempts,
    })),
  );
  await executeStatement(transaction, statement, [runId, JSON.stringify(steps)]);
}
