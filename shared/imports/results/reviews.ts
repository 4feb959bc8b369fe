import type { Sequelize } from "sequelize";

import type { ImportRun } from "../../../models/imports/import-run.ts";
import { rows } from "../../platform/db/rows.ts";
import { importKinds, type ImportName, importNames } from "./kinds.ts";

/** An import that is applied only once an administrator approves what it would take away. */
export interface ImportReview extends Readonly<Pick<ImportRun, "jobId" | "kind" | "finishedAt">> {
  readonly kind: ImportName;
  readonly queue: string;
  readonly reason: string | null;
  readonly finishedAt: Date;
}

/** The imports whose newest run ended with the question whether to apply it. */
export async function readImportReviews(sequelize: Sequelize): Promise<ImportReview[]> {
  const runs = await rows<Omit<ImportReview, "queue">>(
    sequelize,
    `select * from (
       select distinct on (kind) kind, job_id as "jobId", result ->> 'status' as status,
         result ->> 'reason' as reason, finished_at as "finishedAt"
       from import_runs where kind = any($1) order by kind, asked_at desc) newest
     where status = 'needsReview'
       and (kind <> 'atlas' or exists (select from atlas_state where pending_status = 'pending'))`,
    [importNames],
  );
  return runs.map(({ kind, jobId, reason, finishedAt }) => {
    const { queue } = importKinds[kind];
    return { kind, queue, jobId, reason, finishedAt };
  });
}
