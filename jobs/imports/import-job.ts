import { importKinds, type ImportName } from "../../shared/imports/results/kinds.ts";
import { runImport, type ImportHandler } from "../../shared/imports/runs/run-import.ts";
import { failImportRun } from "../../shared/imports/runs/runs.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import { messageOf } from "../../shared/platform/errors/errors.ts";
import type { ImportFlags } from "../../shared/platform/queue/queues.ts";
import type { Job } from "../job.ts";

/** Defines the job of one kind of import. The job always stores a result. */
export const defineImportJob = <Name extends ImportName>(
  name: Name,
  work: ImportHandler<SiteContext>,
): Job<(typeof importKinds)[Name]["queue"]> => ({
  queue: importKinds[name].queue,
  run: (payload, context, { jobId, signal }) =>
    runImport(name, { jobId, flags: payload as ImportFlags, signal }, work, context),
  onExhausted: (_flags, { sequelize }, { jobId, retryCount, cause }) =>
    failImportRun({ jobId, retryCount }, `The import failed: ${messageOf(cause)}`, sequelize),
});
