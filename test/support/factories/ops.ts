import { randomUUID } from "node:crypto";

import type { CreationAttributes } from "sequelize";

import type { ImportRun } from "../../../models/imports/import-run.ts";
import type { JobProgress } from "../../../models/ops/job-progress.ts";
import type { ServiceProcess } from "../../../models/ops/service-process.ts";
import type { DatabaseHolder } from "../database/query.ts";

/**
 * Inserts a row of a process. By default it is a live worker for imports. No real process belongs to the row, so
 * no jobs are taken.
 */
export const buildProcess = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<ServiceProcess>> = {},
): Promise<ServiceProcess> =>
  context.models.ServiceProcess.create({
    id: randomUUID(),
    kind: "worker",
    queueGroups: ["imports"],
    host: "nowhere",
    pid: 1,
    version: "0",
    ...given,
  });

/** Inserts an import run. By default it imports the atlas, and no worker has started it. */
export const buildImportRun = (
  { context }: DatabaseHolder,
  given: Partial<Omit<CreationAttributes<ImportRun>, "result">> & {
    readonly result?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<ImportRun> =>
  context.models.ImportRun.create({ jobId: randomUUID(), kind: "atlas", flags: {}, ...given });

export const buildJobProgress = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<JobProgress>> = {},
): Promise<JobProgress> =>
  context.models.JobProgress.create({
    jobId: randomUUID(),
    queue: "q",
    phase: "p",
    done: 1,
    ...given,
  });
