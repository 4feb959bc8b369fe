import type { EventFrame } from "../../../shared/platform/bridge/frames.ts";
import { acquireSourceOwnership } from "../../../shared/platform/ingest/ownership.ts";
import type { GameServerSource } from "../../../shared/platform/ingest/source.ts";
import { storeFrames } from "../../../shared/platform/ingest/store-batch.ts";
import type { RandomSource } from "../../simulator/random.ts";
import { timeoutMs } from "../../support/clock/wait.ts";
import type { WritableSite } from "./site.ts";

export interface BurstEvent {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The number of frames that ingest stores at once while more of them wait. */
const batchFrames = 1_000;

let lastSeq = 0;

const toFrame = ({ kind, payload }: BurstEvent): EventFrame => ({
  type: "event",
  epoch: "burst",
  seq: ++lastSeq,
  bootId: "boot",
  eventKey: null,
  kind,
  t: Date.now(),
  replay: false,
  payload,
});

/** Stores events of a game server as the process that ingests them does. */
export async function storeBurst(
  events: Iterable<BurstEvent>,
  source: GameServerSource,
  { context: { log }, databaseUrl }: WritableSite,
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  const owner = await acquireSourceOwnership({
    url: databaseUrl,
    source: source.name,
    log,
    signal,
  });
  try {
    const frames = Array.from(events, toFrame);
    for (let at = 0; at < frames.length; at += batchFrames) {
      await storeFrames(frames.slice(at, at + batchFrames), owner, source, log);
    }
  } finally {
    await owner.release();
  }
}

/** Returns the event with which a survival server reports its world. */
export const buildHello = (saveId: number): BurstEvent => ({
  kind: "server.hello",
  payload: {
    serverName: "Oak",
    worldReady: true,
    world: { saveCreatedAt: saveId },
    helpers: [],
    capabilities: [],
  },
});

export const steamIdOf = (player: number): string =>
  String(76_561_198_000_000_001n + BigInt(player));

const profiles = 12;

/** Returns the death of an NPC, which a random player killed. */
export function buildKill(kill: number, random: RandomSource, players: number): BurstEvent {
  const player = Math.floor(players * random.next() ** 2);
  const killer = { steamId: steamIdOf(player), name: `Player ${player}` };
  const profile = `profile-${random.int(1, profiles)}`;
  return { kind: "survival.npc.died", payload: { netId: String(kill), profile, killer } };
}
