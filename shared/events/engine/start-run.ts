import type { Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import { isUniqueViolation } from "../../platform/db/rows.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import type { EventContext } from "../context.ts";
import { addMs } from "../machine/state.ts";
import type { RunInput } from "../machine/transition.ts";
import { specOf } from "../spec/spec.ts";
import { minGraceSeconds } from "./due.ts";
import { lockRun } from "./lock-run.ts";
import { applyInput } from "./write-run.ts";
import { writeSteps } from "./write-steps.ts";

/** Starts a due run, or marks it as missed with the reason if its time has passed. */
export async function startDueRun(runId: number, context: EventContext): Promise<void> {
  try {
    await inTransaction(context.sequelize, async (transaction) => {
      const locked = await lockRun(runId, transaction, { by: "run unless locked" });
      if (locked?.run.status !== "scheduled") return;
      const trigger = await findStartInput(runId, locked.now, transaction);
      if (trigger?.kind === "miss") await applyInput(locked, trigger, transaction, context);
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
  if (locked) await applyInput(locked, { kind: "start" }, transaction, context);
}
