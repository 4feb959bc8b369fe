import { rows } from "../../../db/rows.ts";
import type { Channel } from "../../../notify/channels.ts";
import type { Ground, TakenIn } from "../../frames/handler.ts";
import { type LivePayload, splitLive } from "./pieces.ts";
import { readSiteEvents } from "./site-events.ts";

const channel = "survival_live" satisfies Channel;

/**
 * Hands positions over to the processes that answer requests. They are worth their own moment alone,
 * and help whoever hunts players: no table holds them, and no log.
 */
export async function handOverLive(
  { payload, bootId, saveId, replay }: TakenIn<LivePayload>,
  { serverId, connection }: Ground,
): Promise<void> {
  // Where somebody was while nobody listened says nothing of where they are.
  if (replay) return;
  const events = [...payload.events, ...(await readSiteEvents(serverId, bootId, connection))];
  const pieces = splitLive({ ...payload, events }, { serverId, bootId, saveId });
  await rows(connection, tell, [channel, pieces.map((piece) => JSON.stringify(piece))]);
}

const tell = {
  name: "tell-live-positions",
  text: "select pg_notify($1, piece) from unnest($2::text[]) as piece",
};
