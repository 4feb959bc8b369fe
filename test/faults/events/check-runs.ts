import { setTimeout as sleep } from "node:timers/promises";

import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { ShardSimulatorClient } from "../shard.ts";

/** The time until all runs have ended. Leases last 30 s, and retry delays up to a minute. */
const settleMs = 300_000;

/** Waits until no run is active. After the timeout, reports the active runs as a violation. */
export async function waitUntilRunsFinish(read: DatabaseReader, history: History): Promise<void> {
  const giveUpAt = performance.now() + settleMs;
  const open =
    "select id, status from event_runs where status in ('scheduled', 'running', 'paused')";
  for (;;) {
    const left = await read(open).catch(() => null);
    if (left?.length === 0) return;
    if (performance.now() > giveUpAt) {
      return history.violate("no run is stuck", { left: left?.slice(0, 20) });
    }
    await sleep(500);
  }
}

export interface RunsToCheck {
  readonly runs: readonly number[];
  /** The number of steps of all runs. */
  readonly steps: number;
  readonly shard: ShardSimulatorClient;
  readonly read: DatabaseReader;
  readonly history: History;
}

interface Step {
  readonly id: number;
  readonly runId: number;
  readonly key: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastError: string | null;
}

interface Line {
  readonly runId: number;
  readonly stepId: number | null;
  readonly kind: string;
  readonly reason: string | null;
}

/**
 * Requires the runs, their steps and their logs to agree with each other and with the effects on
 * the shard.
 */
export async function checkRuns(checked: RunsToCheck): Promise<void> {
  const { runs, read, history } = checked;
  const steps = await read<Step & Record<string, unknown>>(
    `select id, run_id as "runId", idempotency_key as key, status, attempts,
       last_error as "lastError" from event_steps where run_id = any($1) order by id`,
    [runs],
  );
  const lines = await read<Line & Record<string, unknown>>(
    `select run_id as "runId", step_id as "stepId", kind, detail ->> 'reason' as reason
     from event_log_lines where run_id = any($1) order by id`,
    [runs],
  );
  await checkEnds(checked);
  checkSteps(steps, checked);
  checkLogs(lines, steps, checked);
  await checkEffects(steps, checked);
  history.find("events", {
    runs: checked.runs.length,
    steps: steps.length,
    attempts: steps.reduce((sum, { attempts }) => sum + attempts, 0),
    takenOver: lines.filter(({ reason }) => reason === "the worker that ran the step was lost")
      .length,
    retried: lines.filter(({ kind }) => kind === "step.retried").length,
    mostAttempts: Math.max(...steps.map(({ attempts }) => attempts)),
  });
}

async function checkEnds({ runs, read, history }: RunsToCheck): Promise<void> {
  const ended = await read<{ id: number; status: string; health: string }>(
    `select id, status, health, last_error as "lastError" from event_runs where id = any($1)`,
    [runs],
  );
  history.claim("every run is there", ended.length === runs.length, { found: ended.length });
  for (const run of ended) {
    const isWell = run.status === "completed" && run.health === "ok";
    history.claim("a run completes in good health", isWell, run);
  }
}

function checkSteps(steps: readonly Step[], { steps: wanted, history }: RunsToCheck): void {
  history.claim("every step is there", steps.length === wanted, {
    found: steps.length,
  });
  for (const step of steps) {
    history.claim("a step succeeds", step.status === "succeeded", step);
  }
}

/** Requires one log line for each transition, in the order of the transitions. */
function checkLogs(lines: readonly Line[], steps: readonly Step[], { history }: RunsToCheck): void {
  for (const [runId, own] of Map.groupBy(lines, (line) => line.runId)) {
    const count = (kind: string) => own.filter((line) => line.kind === kind).length;
    const kinds = own.map(({ kind }) => kind);
    const isWhole =
      kinds[0] === "created" &&
      kinds.at(-1) === "completed" &&
      ["created", "started", "completed"].every((kind) => count(kind) === 1);
    history.claim("a run's log has its beginning and its end once", isWhole, { runId, kinds });
  }
  const byStep = Map.groupBy(lines, ({ stepId }) => stepId);
  for (const { id, attempts } of steps) {
    const kinds = (byStep.get(id) ?? []).map(({ kind }) => kind);
    const count = (wanted: string) => kinds.filter((kind) => kind === wanted).length;
    const detail = { id, attempts, kinds };
    history.claim("each attempt has its line", count("step.started") === attempts, detail);
    history.claim("a step succeeds once", count("step.succeeded") === 1, detail);
    history.claim("nothing follows its success", kinds.at(-1) === "step.succeeded", detail);
  }
}

/**
 * Requires each step to have had one effect. Compares the texts of the broadcasts too, because only they show
 * that one step had two keys.
 */
async function checkEffects(
  steps: readonly Step[],
  { shard, read, history }: RunsToCheck,
): Promise<void> {
  const effects = new Map((await shard.effects("evt:")).map((one) => [one.key, one.times]));
  for (const { id, key } of steps) {
    const times = effects.get(key) ?? 0;
    history.claim("an effect happens exactly once", times === 1, { id, key, times });
  }
  const written = await read<{ key: string }>("select idempotency_key as key from event_steps");
  const asked = new Set(written.map(({ key }) => key));
  const unasked = [...effects.keys()].filter((key) => !asked.has(key));
  history.claim("nothing happens that no step asked for", unasked.length === 0, { unasked });
  const heard = (await shard.log()).filter(({ kind }) => kind === "world.broadcast");
  const said = Map.groupBy(heard, ({ payload }) => String(payload["text"]));
  for (const [text, all] of said) {
    history.claim("what is said is said once", all.length === 1, { text, times: all.length });
  }
  history.claim("everything is said", said.size === steps.length, { said: said.size });
}
