import { useEffect } from "preact/hooks";

import type { AnswerOf } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import type { JobProgress } from "../../parts/job-progress.ts";
import { useJobProgress } from "../../parts/use-progress.ts";
import { useApiRead } from "../../parts/use-read.ts";
import type { ImportKind } from "./requests.ts";

type Report = AnswerOf<"GET /admin/jobs">;
type States = Extract<Report, { readonly queues: unknown }>;
export type Job = Extract<Report, { readonly jobs: unknown }>["jobs"][number];
export type Queue = States["queues"][number];
export type ImportReview = States["reviews"][number];

const queuesEveryMs = 3_000;
const activeEveryMs = 2_000;

export const queueOf = (kind: ImportKind): `imports.${ImportKind}` => `imports.${kind}`;

/** The queues of imports, their running jobs, and the imports that wait for review. */
export interface ImportJobs {
  readonly queues: readonly Queue[];
  readonly reviews: readonly ImportReview[];
  readonly active: readonly Job[];
  readonly progressOf: (job: Job) => JobProgress | null;
  readonly problem: Problem | null;
  readonly reload: () => Promise<void>;
}

const none: readonly never[] = [];

/** Follows the jobs of all imports. */
export function useImportJobs(): ImportJobs {
  const report = useApiRead("GET /admin/jobs", {}, queuesEveryMs);
  const running = useApiRead("GET /admin/jobs", { query: { state: "active" } }, activeEveryMs);
  const states = report.data && "queues" in report.data ? report.data : null;
  const active = running.data && "jobs" in running.data ? running.data.jobs : none;
  const progressOf = useJobProgress(active);
  const reload = async () => {
    await Promise.all([report.reload(), running.reload()]);
  };
  return {
    queues: states?.queues ?? none,
    reviews: states?.reviews ?? none,
    active,
    progressOf,
    problem: report.problem ?? running.problem,
    reload,
  };
}

/** Reads the last completed job of an import, again when the counts of its queue change. */
export function useLastJob(kind: ImportKind, queue: Queue | undefined): Job | null {
  const query = { state: "completed", queue: queueOf(kind), limit: 1 } as const;
  const read = useApiRead("GET /admin/jobs", { query });
  const counts = queue && [queue.depth, queue.active, queue.completedLastHour].join(" ");
  useEffect(() => {
    if (counts !== undefined) void read.reload();
  }, [counts]);
  return read.data && "jobs" in read.data ? (read.data.jobs[0] ?? null) : null;
}
