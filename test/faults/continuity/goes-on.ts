import { until } from "../../support/clock/wait.ts";
import type { OwnProcess } from "../../support/service/own-process.ts";
import type { Read } from "../check-states.ts";
import type { History } from "../history.ts";
import type { Scribe } from "./scribe.ts";

/**
 * Everything is done again so long after a blow, whatever it was: a lock of a transaction that stands still
 * lasts nine seconds, and whoever was refused by a game server again and again waits up to sixteen.
 */
const withinMs = 30_000;

interface Scene {
  readonly scribes: readonly Scribe[];
  /** Processes that stand still. */
  readonly still: ReadonlySet<OwnProcess>;
  readonly read: Read;
  readonly history: History;
  /** The longest that each part was away, in milliseconds. */
  readonly longest: Map<string, number>;
  /** The game server lets nobody else in while it takes the one who stands still for its client. */
  readonly isStreamHeld?: boolean;
}

interface Marks {
  readonly event: number;
  readonly step: number;
}

const marks = `select
  (select coalesce(max(id), 0)::integer from shard_events) as event,
  (select coalesce(max(id), 0)::integer from event_log_lines where kind = 'step.succeeded') as step`;

/** Waits until each process that runs takes writes, events are stored and steps are done, after now. */
export async function goOn(what: string, scene: Scene): Promise<void> {
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
    const goesOn = await until(part, holds, withinMs).then(
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
