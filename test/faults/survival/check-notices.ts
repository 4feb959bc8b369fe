import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { LinkedServer } from "./strikes.ts";

interface Place {
  readonly read: DatabaseReader;
  readonly history: History;
}

/**
 * Requires that the first observation of a server announced nothing. Otherwise servers that have
 * run for weeks would be announced as new. Called before anything happens in the games.
 */
export async function checkNothingAnnounced({ read, history }: Place): Promise<void> {
  const told = await read(
    `select stream as what, ref, event_key from pushes where stream like 'survival%'
     union all select trigger, source, event_key from event_news where source like 'survival%'
     union all select trigger, source, event_key from survival_notices`,
  );
  history.claim("nobody is told of what is seen for the first time", told.length === 0, { told });
}

interface GateEventRow {
  readonly trigger: string;
  readonly eventKey: string;
  readonly saveId: number | null;
}

const selectGateEvents = `
  select news.trigger, news.event_key as "eventKey", wipe.save_id::float8 as "saveId"
  from event_news news
  left join survival_wipes wipe on wipe.id = (news.variables ->> 'wipeId')::integer
  where news.source = $1 order by news.number`;

/** The trigger of each event kind whose events are all announced. */
const toldAsTheyAre = {
  "survival.npc.died": "survival.npc.died",
  "player.died": "survival.player.died",
  "plugin.unloaded": "survival.plugin.unloaded",
} as const;

/** Requires that each event was announced once and that repeated observations announced nothing. */
export async function checkNotices(server: LinkedServer, place: Place): Promise<void> {
  const { read, history } = place;
  const { id, name, simulator } = server;
  const told = await read<GateEventRow & Record<string, unknown>>(selectGateEvents, [
    `survival:${id}`,
  ]);
  const keys = new Set(told.map(({ trigger, eventKey }) => `${trigger} ${eventKey}`));
  history.claim("nobody is told of anything twice", keys.size === told.length, { name });
  const count = (trigger: string) => told.filter((one) => one.trigger === trigger).length;
  for (const [kind, trigger] of Object.entries(toldAsTheyAre)) {
    const [row] = await read<{ stored: number }>(
      "select count(*)::integer as stored from survival_events where server_id = $1 and kind = $2",
      [id, kind],
    );
    const stored = row?.stored ?? 0;
    const detail = { name, trigger, stored, told: count(trigger) };
    history.claim("what happened is told once", count(trigger) === stored, detail);
  }
  const made = new Set(
    (await simulator.log())
      .filter(({ kind }) => kind === "world.wiped")
      .map(({ payload }) => payload["saveId"]),
  );
  const wiped = told.filter(({ trigger }) => trigger === "survival.server.wiped");
  const isNew = ({ saveId }: GateEventRow) => saveId !== null && made.has(saveId);
  history.claim("a world that was not made anew is no news", wiped.every(isNew), { name, wiped });
  checkTurns(told, server, history);
  history.find(`told of ${name}`, {
    notices: told.length,
    wiped: wiped.length,
    made: made.size,
    fallen: count("survival.npc.died"),
    died: count("survival.player.died"),
    offline: count("survival.server.offline"),
  });
}

/** Requires that a server was announced as online only after it was announced as offline. */
function checkTurns(told: readonly GateEventRow[], { name }: LinkedServer, history: History): void {
  const turns = told
    .map(({ trigger }) => trigger)
    .filter((trigger) => /^survival\.server\.(?:on|off)line$/.test(trigger));
  const isInTurn = turns.every(
    (turn, at) => turn === (at % 2 === 0 ? "survival.server.offline" : "survival.server.online"),
  );
  history.claim("a server is back only after it was away", isInTurn, { name, turns });
}
