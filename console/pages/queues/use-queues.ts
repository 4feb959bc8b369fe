import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";
import { toProblem } from "../../parts/use-read.ts";

const everyMs = 2_000;
const shownFailures = 100;
const shownOthers = 10;

type Report = AnswerOf<"GET /admin/jobs">;
export type QueueStates = Extract<Report, { readonly queues: unknown }>;
export type JobList = Extract<Report, { readonly jobs: unknown }>;
export type Job = JobList["jobs"][number];
export type FailureGroup = JobList["groups"][number];
export type Queue = QueueStates["queues"][number];

/** Everything that the page shows, read at one time. */
export interface QueuesReport extends QueueStates {
  readonly failed: JobList;
  readonly retrying: JobList;
  readonly active: readonly Job[];
  readonly cancelled: readonly Job[];
  readonly finished: readonly Job[];
  readonly readAt: Date;
}

async function readJobs(state: Job["state"], limit: number): Promise<JobList> {
  const answer = await callApi("GET /admin/jobs", { query: { state, limit } });
  return "jobs" in answer ? answer : { jobs: [], groups: [] };
}

async function readReport(): Promise<QueuesReport> {
  const [states, failed, retrying, active, cancelled, finished] = await Promise.all([
    callApi("GET /admin/jobs", {}),
    readJobs("failed", shownFailures),
    readJobs("retry", shownFailures),
    readJobs("active", shownFailures),
    readJobs("cancelled", shownOthers),
    readJobs("completed", shownOthers),
  ]);
  return {
    ...("queues" in states ? states : { queues: [], workers: [], reviews: [] }),
    failed,
    retrying,
    active: active.jobs,
    cancelled: cancelled.jobs,
    finished: finished.jobs,
    readAt: new Date(),
  };
}

interface Read {
  readonly report: QueuesReport | null;
  readonly problem: Problem | null;
}

/** Runs a button's action and reads the report again. A refusal is shown above the page. */
export type QueueActionRunner = (work: () => Promise<unknown>) => Promise<void>;

interface Queues extends Read {
  /** The refusal of the last action. */
  readonly actionProblem: Problem | null;
  readonly act: QueueActionRunner;
  readonly refresh: () => Promise<void>;
}

/** Reads the report every two seconds while the page is visible. */
export function useQueues(): Queues {
  const [read, setRead] = useState<Read>({ report: null, problem: null });
  const [actionProblem, setActionProblem] = useState<Problem | null>(null);
  const latest = useRef(0);
  const refresh = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    const answer = await readReport().catch(toProblem);
    if (turn !== latest.current) return;
    setRead((was) =>
      answer instanceof Problem ? { ...was, problem: answer } : { report: answer, problem: null },
    );
  }, []);
  const act = useCallback(async (work: () => Promise<unknown>) => {
    const answer = await work().catch(toProblem);
    setActionProblem(answer instanceof Problem ? answer : null);
    await refresh();
  }, []);
  // A person who declined to sign in again would be asked again at each refresh.
  useRefresh(refresh, read.problem?.code !== "not_authenticated");
  return { ...read, actionProblem, act, refresh };
}

function useRefresh(refresh: () => Promise<void>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasEnded = false;
    const loop = async () => {
      if (!document.hidden) await refresh();
      if (!hasEnded) timer = setTimeout(() => void loop(), everyMs);
    };
    void loop();
    return () => {
      hasEnded = true;
      clearTimeout(timer);
    };
  }, [isOn]);
}
