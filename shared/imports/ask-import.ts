import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { QueryTypes, type Sequelize } from "sequelize";

import type { Caller } from "../auth/caller.ts";
import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { aliveProcesses } from "../ops/processes.ts";
import { recordActivity } from "../site/activity.ts";
import { importKinds, type ImportName, refusedImport } from "./kinds.ts";
import type { ImportFlags, ImportResult } from "./result.ts";
import { endLostRuns } from "./runs.ts";

/** How an asked import stands: its run, or the result where there is none. */
export type AskedImport = { readonly jobId: string } | { readonly refused: ImportResult };

const startOne = "start `node jobs/worker.ts`, or one that names the group imports";
const noWorker = `No import worker is running: ${startOne}`;
const workerGone = `No import worker is running any more: ${startOne}, and the import goes on`;

const withoutWorker = (name: ImportName, reason: string): ImportResult =>
  refusedImport(name, importKinds[name].noWorker, reason);

/**
 * Starts an import, or joins the one that runs with the same flags. The run's row and its job come
 * to be in one transaction.
 */
export async function askImport(
  name: ImportName,
  flags: ImportFlags,
  caller: Caller,
  context: Context,
): Promise<AskedImport> {
  await endLostRuns(context.sequelize);
  if (!(await hasWorker(context.sequelize))) {
    return { refused: withoutWorker(name, noWorker) };
  }
  const jobId = await start(name, flags, caller, context);
  if (jobId) return { jobId };
  const running = await findRunning(name, context.sequelize);
  // It ended between the two looks: the next try starts anew.
  if (!running) return askImport(name, flags, caller, context);
  if (sameFlags(running.flags, flags)) return { jobId: running.jobId };
  return {
    refused: refusedImport(name, "BUSY", "Another import of this kind runs with other flags"),
  };
}

const hasWorker = async (sequelize: Sequelize): Promise<boolean> =>
  (await aliveProcesses(sequelize)).some(({ queueGroups }) => queueGroups.includes("imports"));

/**
 * A flag that is off equals one that was not sent. A flag only a newer release knows makes it a
 * different import.
 */
const sameFlags = (stored: ImportFlags, asked: ImportFlags): boolean =>
  isDeepStrictEqual(flagsOn(stored), flagsOn(asked));

const flagsOn = (flags: ImportFlags): object =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => Boolean(value)));

/** @returns null when one of this kind runs already */
async function start(
  name: ImportName,
  flags: ImportFlags,
  caller: Caller,
  { sequelize, queue }: Context,
): Promise<string | null> {
  const jobId = randomUUID();
  return inTransaction(sequelize, async (transaction) => {
    const { rowCount } = await sqlOf(transaction).query(
      `insert into import_runs (job_id, kind, flags, asked_by) values ($1, $2, $3, $4)
       on conflict (kind) where finished_at is null do nothing`,
      [jobId, name, JSON.stringify(flags), caller.userId],
    );
    if (rowCount === 0) return null;
    await queue.enqueue(importKinds[name].queue, { ...flags }, { id: jobId, within: transaction });
    const target = { type: "job", id: jobId };
    const action = `import.${name}.asked`;
    await recordActivity(
      { actorId: caller.userId, action, target, detail: { ...flags } },
      transaction,
    );
    return jobId;
  });
}

interface Running {
  readonly jobId: string;
  readonly flags: ImportFlags;
}

async function findRunning(name: ImportName, sequelize: Sequelize): Promise<Running | undefined> {
  const [row] = await sequelize.query<Running>(
    `select job_id as "jobId", flags from import_runs where kind = $1 and finished_at is null`,
    { bind: [name], type: QueryTypes.SELECT },
  );
  return row;
}

/** Between looks at a run when its notification got lost. */
const lookMs = 1_000;

/** Longer than a worker takes to be replaced. */
const patienceMs = 30_000;

interface Waiting {
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** For how long no worker may be alive before the wait is given up. */
  readonly aloneMs?: number;
}

/**
 * Waits for a run's result. Once no worker has been alive for a while that is what it answers; the
 * run itself stays, for the next worker.
 * @returns undefined when it was not there within `waitMs`, or the caller went away
 */
export async function awaitImport(
  name: ImportName,
  jobId: string,
  { waitMs, signal, aloneMs = patienceMs }: Waiting,
  { listener, sequelize }: Context,
): Promise<ImportResult | undefined> {
  const deadline = performance.now() + waitMs;
  let workedAt = performance.now();
  let wake = new AbortController();
  const unlisten = listener.on("import_finished", (finished) => {
    if (finished.jobId === jobId) wake.abort();
  });
  try {
    for (;;) {
      const result = await readResult(jobId, sequelize);
      if (!result) await endLostRuns(sequelize, jobId);
      const now = performance.now();
      if (result || deadline <= now || signal.aborted) return result;
      if (await hasWorker(sequelize)) workedAt = now;
      else if (now - workedAt > aloneMs) return withoutWorker(name, workerGone);
      const either = AbortSignal.any([wake.signal, signal]);
      const restMs = Math.min(deadline - now, lookMs);
      await sleep(restMs, undefined, { signal: either }).catch(() => undefined);
      wake = new AbortController();
    }
  } finally {
    unlisten();
  }
}

async function readResult(jobId: string, sequelize: Sequelize): Promise<ImportResult | undefined> {
  const [row] = await sequelize.query<{ result: ImportResult | null }>(
    "select result from import_runs where job_id = $1",
    { bind: [jobId], type: QueryTypes.SELECT },
  );
  return row?.result ?? undefined;
}
