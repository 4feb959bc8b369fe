import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { ShardSimulatorClient } from "../shard.ts";
import type { EventOperators, ConfirmedRun } from "./desk.ts";

interface Place {
  readonly read: DatabaseReader;
  readonly shard: ShardSimulatorClient;
  readonly history: History;
}

interface Line {
  readonly id: number;
  readonly kind: string;
  readonly stepId: number | null;
}

interface RunHistory {
  readonly eventId: number;
  readonly runId: number;
  readonly status: string;
  readonly health: string;
  /** The number of runs of the same event. */
  readonly runs: number;
  readonly lines: readonly Line[];
  readonly steps: readonly { readonly id: number; readonly status: string; readonly key: string }[];
  /** The logged actions of people on the run and its steps. */
  readonly did: readonly string[];
}

const heldStatement = `
  select run.definition_id as "eventId", run.id as "runId", run.status, run.health,
    (select count(*)::integer from event_runs other
      where other.definition_id = run.definition_id) as runs,
    (select json_agg(json_build_object('id', id, 'kind', kind, 'stepId', step_id) order by id)
      from event_log_lines where run_id = run.id) as lines,
    (select coalesce(json_agg(json_build_object('id', id, 'status', status, 'key', idempotency_key)
      order by id), '[]') from event_steps where run_id = run.id) as steps,
    (select coalesce(array_agg(action order by id), '{}') from activity_log
      where target_type = 'run' and target_id = run.id::text
        or target_type = 'step' and target_id in
          (select id::text from event_steps where run_id = run.id)) as did
  from event_runs run where run.id = any($1)`;

/**
 * Requires each order of a person (to start, confirm or cancel a run) that the API confirmed to be executed
 * once and logged once.
 */
export async function checkConfirmedOrders(
  { evenings, unanswered, killed }: Pick<EventOperators, "evenings" | "unanswered" | "killed">,
  { read, shard, history }: Place,
): Promise<void> {
  const runIds = evenings.map(({ runId }) => runId);
  const rows = await read<RunHistory & Record<string, unknown>>(heldStatement, [runIds]);
  const effects = new Map((await shard.effects("evt:")).map((one) => [one.key, one.times]));
  const byId = new Map(rows.map((row) => [row.runId, row]));
  for (const evening of evenings) {
    const held = byId.get(evening.runId);
    history.claim("what was answered is there", held?.eventId === evening.eventId, evening);
    if (held) checkEvening(evening, held, { effects, history });
  }
  const ends = Map.groupBy(evenings, ({ end }) => end);
  const [cancelled, confirmed] = [ends.get("cancelled") ?? [], ends.get("confirmed") ?? []];
  history.claim("runs were cancelled and confirmed", cancelled.length * confirmed.length > 0);
  history.find("desk", {
    cancelled: cancelled.length,
    confirmed: confirmed.length,
    unanswered,
    killed,
  });
}

interface Seen {
  readonly effects: ReadonlyMap<string, number>;
  readonly history: History;
}

function checkEvening(evening: ConfirmedRun, held: RunHistory, { effects, history }: Seen): void {
  const detail = { evening, held };
  const claim = (what: string, holds: boolean) => history.claim(what, holds, detail);
  const count = (kind: string) => held.lines.filter((line) => line.kind === kind).length;
  claim("an event that was started again and again has one run", held.runs === 1);
  const did = ["event.run.created", ordered[evening.end]];
  claim("an order has its line in the log of what people did once", isSame(held.did, did));
  for (const { key, status } of held.steps) {
    const times = effects.get(key) ?? 0;
    claim("an effect of it happens at most once", times <= 1);
    const acts = key !== held.steps[1]?.key;
    claim("what succeeded of it has happened", status !== "succeeded" || !acts || times === 1);
  }
  if (evening.end === "confirmed") {
    claim("a run that was confirmed completes in good health", isCompleted(held));
    claim("a step is confirmed once", count("step.confirmed") === 1);
    return;
  }
  claim("a run that was cancelled stays so", held.status === "cancelled");
  // Count only log lines about the run itself: a step whose worker died gets a "cancelled" line too when its
  // lease ends.
  const ends = held.lines.filter(({ kind, stepId }) => kind === "cancelled" && stepId === null);
  claim("it is cancelled once", ends.length === 1);
  const begunLater = held.lines.filter(
    ({ id, kind }) => kind === "step.started" && id > evening.answeredAt,
  );
  claim("no step begins once the cancelling was answered", begunLater.length === 0);
}

const ordered = { cancelled: "event.run.cancelled", confirmed: "event.step.confirmed" } as const;

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((action, place) => action === other[place]);

const isCompleted = ({ status, health, steps }: RunHistory): boolean =>
  status === "completed" &&
  health === "ok" &&
  steps.length === 3 &&
  steps.every((step) => step.status === "succeeded");
