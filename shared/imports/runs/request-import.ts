import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import type { Models } from "../../../models/index.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { isDatabaseUnavailable } from "../../platform/db/connection/database-unavailable.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { readPausedQueues } from "../../platform/job-records/paused-queues.ts";
import { readAliveProcesses } from "../../platform/job-records/processes.ts";
import type { ImportFlags } from "../../platform/queue/queues.ts";
import type { ImportResult } from "../results/codes.ts";
import { importKinds, type ImportName, createRefusedImportResult } from "../results/kinds.ts";
import { endLostImportRuns } from "./runs.ts";

/** The run of a requested import, or the result if it was refused. */
export type ImportRequestResult = { readonly jobId: string } | { readonly refused: ImportResult };

const startOne = "start `node jobs/worker.ts`, or a worker of the group imports";
const noWorker = `No import worker is running: ${startOne}`;
const workerGone = `No import worker is running any more: ${startOne}, and the import continues`;

const withoutWorker = (name: ImportName, reason: string): ImportResult =>
  createRefusedImportResult(name, importKinds[name].noWorker, reason);

/** Starts an import, or joins a running one with the same flags. One transaction creates the run and its job. */
export async function requestImport(
  name: ImportName,
  flags: ImportFlags,
  caller: Caller,
  context: Context,
): Promise<ImportRequestResult> {
  await endLostImportRuns(context.sequelize);
  if (!(await hasWorker(context.models))) {
    return { refused: withoutWorker(name, noWorker) };
  }
  const { queue } = importKinds[name];
  if ((await readPausedQueues(context)).has(queue)) {
    return { refused: withoutWorker(name, `The queue ${queue} is paused: resume it`) };
  }
  const jobId = await start(name, flags, caller, context);
  if (jobId) return { jobId };
  const running = await context.models.ImportRun.findUnfinished(name, subjectOf(flags));
  // The running import ended between the two queries, so a new one can start.
  if (!running) return requestImport(name, flags, caller, context);
  if (sameFlags(running.flags, flags)) return { jobId: running.jobId };
  return {
    refused: createRefusedImportResult(
      name,
      "BUSY",
      "Another import of this kind runs with other flags",
    ),
  };
}

/** Returns the survival server of an import, if any: imports for different servers can run at the same time. */
const subjectOf = ({ serverId }: ImportFlags): number | null => serverId ?? null;

const hasWorker = async (models: Models): Promise<boolean> =>
  (await readAliveProcesses(models)).some(({ queueGroups }) => queueGroups.includes("imports"));

/** A false flag equals a missing flag. If only a newer release knows a flag, the imports are different. */
const sameFlags = (stored: ImportFlags, asked: ImportFlags): boolean =>
  isDeepStrictEqual(flagsOn(stored), flagsOn(asked));

const flagsOn = (flags: ImportFlags): object =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => Boolean(value)));

/** @returns null if an import of this kind is running */
async function start(
  name: ImportName,
  flags: ImportFlags,
  caller: Caller,
  { sequelize, models, queue }: Context,
): Promise<string | null> {
  const jobId = randomUUID();
  return inCallersTransaction(sequelize, async (transaction) => {
    const run = { jobId, kind: name, subject: subjectOf(flags), flags: { ...flags } };
    if (!(await models.ImportRun.insertIfIdle(run, transaction))) return null;
    await queue.enqueue(importKinds[name].queue, { ...flags }, { id: jobId, within: transaction });
    const target = { type: "job", id: jobId };
    const action = `import.${name}.asked`;
    await recordActivity({ actor: caller, action, target, detail: { ...flags } }, transaction);
    return jobId;
  });
}

/** Notifications can be lost, so the run is checked again after this time. */
const checkIntervalMs = 1_000;

/** How long a request waits while no worker runs. Replacing a worker takes less time than this. */
const noWorkerTimeoutMs = 30_000;

interface WaitOptions {
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** How long all workers can be missing before the wait ends. */
  readonly aloneMs?: number;
}

/**
 * Waits for a run's result. If no worker is alive for a while, the result says so and the run stays queued.
 * @returns undefined after `waitMs`, or if the caller disconnected
 */
export async function awaitImport(
  name: ImportName,
  jobId: string,
  { waitMs, signal, aloneMs = noWorkerTimeoutMs }: WaitOptions,
  { listener, sequelize, models }: Context,
): Promise<ImportResult | undefined> {
  const deadline = performance.now() + waitMs;
  let workedAt = performance.now();
  let wake = new AbortController();
  const unlisten = listener.on("import_finished", (finished) => {
    if (finished.jobId === jobId) wake.abort();
  });
  try {
    for (;;) {
      const { result, isWorked } = await checkRun(jobId, { sequelize, models });
      const now = performance.now();
      if (result || deadline <= now || signal.aborted) return result;
      if (isWorked) workedAt = now;
      else if (now - workedAt > aloneMs) return withoutWorker(name, workerGone);
      const either = AbortSignal.any([wake.signal, signal]);
      const restMs = Math.min(deadline - now, checkIntervalMs);
      await sleep(restMs, undefined, { signal: either }).catch(() => undefined);
      wake = new AbortController();
    }
  } finally {
    unlisten();
  }
}

interface RunCheck {
  readonly result: ImportResult | undefined;
  readonly isWorked: boolean;
}

/** Checks a run. The run continues during a database outage, so a failed check changes nothing. */
async function checkRun(
  jobId: string,
  { sequelize, models }: Pick<Context, "sequelize" | "models">,
): Promise<RunCheck> {
  try {
    const result = await readResult(jobId, models);
    if (result) return { result, isWorked: true };
    await endLostImportRuns(sequelize, jobId);
    return { result, isWorked: await hasWorker(models) };
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return { result: undefined, isWorked: true };
  }
}

async function readResult(jobId: string, models: Models): Promise<ImportResult | undefined> {
  const run = await models.ImportRun.findByPk(jobId, { attributes: ["result"], raw: true });
  return (run?.result as ImportResult | null) ?? undefined;
}
