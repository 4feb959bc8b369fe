import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { ShardSimulatorClient } from "../shard.ts";
import type { RevokedRun } from "./authority.ts";

interface Place {
  readonly read: DatabaseReader;
  readonly shard: ShardSimulatorClient;
  readonly history: History;
}

interface Step {
  readonly id: number;
  readonly runId: number;
  readonly key: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastError: string | null;
  /** The id of the log line about the first attempt. */
  readonly begunBy: number | null;
  readonly lines: readonly string[];
}

const stepsStatement = `
  select step.id, step.run_id as "runId", idempotency_key as key, status, attempts,
    last_error as "lastError", min(line.id) filter (where line.kind = 'step.started')::integer as "begunBy",
    coalesce(array_agg(line.kind order by line.id) filter (where line.id is not null), '{}') as lines
  from event_steps step left join event_log_lines line on line.step_id = step.id
  where step.run_id = any($1) group by step.id order by step.id`;

const runsStatement = `
  select run.id, run.status, run.health, array_agg(line.kind order by line.id) as lines
  from event_runs run join event_log_lines line on line.run_id = run.id
  where run.id = any($1) group by run.id`;

/** Requires that runs without permission stopped acting and have ended. */
export async function checkRevokedRuns(all: readonly RevokedRun[], place: Place): Promise<void> {
  const { read, shard, history } = place;
  const runIds = all.map(({ runId }) => runId);
  const steps = await read<Step & Record<string, unknown>>(stepsStatement, [runIds]);
  const effects = new Map((await shard.effects("evt:")).map((one) => [one.key, one.times]));
  const byRun = Map.groupBy(steps, ({ runId }) => runId);
  let refused = 0;
  for (const { runId, since, isAmidStep, way } of all) {
    const own = byRun.get(runId) ?? [];
    history.claim("every step of it is there", own.length === 3, { runId, way });
    for (const step of own) {
      const times = effects.get(step.key) ?? 0;
      const detail = { way, since, times, ...step };
      refused += checkStep(
        step,
        { times, isTooLate: isTooLate(step, { since, isAmidStep }) },
        (what, holds) => history.claim(what, holds, detail),
      );
    }
  }
  await checkLogs(runIds, place);
  const amidSteps = all.filter(({ isAmidStep }) => isAmidStep).length;
  history.claim("rights ended amid steps", amidSteps > 0);
  history.find("overruled", { runs: all.length, amidSteps, steps: steps.length, refused });
}

const isTooLate = (
  { begunBy }: Step,
  { since, isAmidStep }: Pick<RevokedRun, "since" | "isAmidStep">,
): boolean => isAmidStep || (since !== null && begunBy !== null && begunBy > since);

interface Seen {
  readonly times: number;
  /** True if the permission ended before the step could act. */
  readonly isTooLate: boolean;
}

/** Checks the effects of one step. @returns 1 if the step was refused, otherwise 0 */
function checkStep(
  { status, attempts, lines }: Step,
  { times, isTooLate: isLate }: Seen,
  claim: (what: string, holds: boolean) => void,
): number {
  const isRefused = status === "failed" && lines.at(-1) === "refused";
  const begun = lines.filter((kind) => kind === "step.started").length;
  claim("nothing is done once the right has ended", !isLate || (isRefused && times === 0));
  claim(
    "a step of a run that loses its right succeeds or is refused",
    isRefused || status === "succeeded",
  );
  claim("what succeeded was done once", status !== "succeeded" || times === 1);
  claim("nothing is done twice", times <= 1);
  claim("each attempt of it has its line", begun === attempts);
  return isRefused ? 1 : 0;
}

async function checkLogs(runIds: readonly number[], { read, history }: Place): Promise<void> {
  const runs = await read<{ status: string; health: string; lines: string[] }>(runsStatement, [
    runIds,
  ]);
  for (const run of runs) {
    const count = (kind: string) => run.lines.filter((line) => line === kind).length;
    const isWhole =
      run.lines[0] === "created" &&
      run.lines.at(-1) === "completed" &&
      ["created", "started", "completed"].every((kind) => count(kind) === 1);
    history.claim("a run that lost its right comes to its end", run.status === "completed", run);
    history.claim("its log is whole", isWhole, run);
    const health = count("refused") > 0 ? "degraded" : "ok";
    history.claim("its health tells of what was refused", run.health === health, run);
  }
}
