import { waitUntil } from "../../support/clock/wait.ts";
import type { ChildProgram } from "../../support/service/own-process.ts";
import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { PostWriter } from "./scribe.ts";

/**
 * The time within which everything must work again. A paused transaction keeps its lock for nine
 * seconds, and the delay after repeated refusals by a game server grows to sixteen seconds.
 */
const withinMs = 30_000;

interface Scene {
  readonly scribes: readonly PostWriter[];
  /** The processes that are paused now. */
  readonly still: ReadonlySet<ChildProgram>;
  readonly read: DatabaseReader;
  readonly history: History;
  /** The longest outage of each part of the service, in milliseconds. */
  readonly longest: Map<string, number>;
  /** True if the game server refuses new clients because its connection to a paused process is still open. */
  readonly isStreamHeld?: boolean;
}

interface Marks {
  readonly event: number;
  readonly step: number;
}

const marks = `select
  (select coalesce(max(id), 0)::integer from shard_events) as event,
  (select coalesce(max(id), 0)::integer from event_log_lines where kind = 'step.succeeded') as step`;

/**
 * Waits until all running processes accept writes, events are stored, and steps of runs succeed.
 */
export async function waitUntilServiceWorks(what: string, scene: Scene): Promise<void> {
  const { scribes, still, read, history, longest } = scene;
  const startedAt = performance.now();
  const readMarks = async (): Promise<Marks | undefined> =>
    (await read<Marks & Record<string, unknown>>(marks).catch(() => []))[0];
  const before = (await readMarks()) ?? { event: Infinity, step: Infinity };
  const parts: Record<string, () => Promise<boolean> | boolean> = {
    ...(!scene.isStreamHeld && {
      "events are stored": async () => ((await readMarks())?.event ?? 0) > before.event,
    }),
    "steps are done": async () => ((await readMarks())?.step ?? 0) > before.step,
  };
  for (const scribe of scribes.filter(({ api }) => !still.has(api.process))) {
    parts[`${scribe.api.process.name} takes writes`] = () => scribe.answeredAt > startedAt;
  }
  const waited = Object.entries(parts).map(async ([part, holds]) => {
    const goesOn = await waitUntil(part, holds, withinMs).then(
      () => true,
      () => false,
    );
    const ms = Math.round(performance.now() - startedAt);
    longest.set(part, Math.max(longest.get(part) ?? 0, ms));
    history.claim("everything goes on within 30 s", goesOn, { what, part });
    return [part, ms] as const;
  });
  history.note(`goes on: ${what}`, Object.fromEntries(await Promise.all(waited)));
}
