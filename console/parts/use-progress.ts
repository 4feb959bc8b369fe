import { useEffect, useState } from "preact/hooks";

import type { JobProgress } from "./job-progress.ts";
import { useStream } from "./use-stream.ts";

interface Job {
  readonly id: string;
  readonly progress: JobProgress | null;
}

type ProgressOfJob = JobProgress & { readonly jobId: string };

/**
 * Follows the progress of jobs on the stream between two reads of the jobs.
 * @param jobs the jobs of the last read
 * @returns a function that returns the newest progress of a job
 */
export function useJobProgress(jobs: readonly Job[]): (job: Job) => JobProgress | null {
  const [notices, setNotices] = useState<Readonly<Record<string, ProgressOfJob>>>({});
  useStream("/api/v1/admin/shardlink/stream", {
    "job.progress": (data) => {
      const notice = data as ProgressOfJob;
      setNotices((was) => ({ ...was, [notice.jobId]: notice }));
    },
  });
  useEffect(() => setNotices({}), [jobs]);
  return ({ id, progress }) => notices[id] ?? progress;
}
