import { defineSimulatedEvent } from "../events/scene.ts";
import type { Payload, SimulationContext } from "../events/scene.ts";
import { beginChampion, killsNeeded, rankOf } from "../world/champions.ts";
import type { Champion } from "../world/champions.ts";

const topLevel = 16;
const restDelayMs = 600_000;

/**
 * Advances a champion spawn by one step. It starts, players fight it, its champion appears and
 * dies, or players leave.
 */
const champion = defineSimulatedEvent(16, (scene) => {
  const altar = scene.world.champions.pick(scene.random);
  if (!altar) return;
  if (altar.state === "idle") return startChampion(scene, altar);
  if (altar.state === "boss") return fellChampion(scene, altar);
  advance(scene, altar);
});

export const championHappenings = { champion };

export function startChampion(scene: SimulationContext, altar: Champion): void {
  beginChampion(altar, scene.now(), scene.random);
  scene.emit("champ.start", {
    ...identity(altar),
    group: altar.group,
    location: altar.place,
    level: altar.level,
    startLevel: altar.level,
  });
}

/** Ends a champion spawn without a fight, because staff stops it or its time has run out. */
export function endChampion(
  scene: SimulationContext,
  altar: Champion,
  outcome: "stopped" | "expired",
): void {
  end(scene, altar, outcome, []);
}

export const championTurns = ["active", "boss", "defeated", "expired", "stopped"] as const;

/** Advances a champion spawn to a stage, through all earlier stages. */
export function bringChampion(
  scene: SimulationContext,
  altar: Champion,
  turn: (typeof championTurns)[number],
): void {
  if (altar.state === "idle") startChampion(scene, altar);
  if (turn === "expired" || turn === "stopped") endChampion(scene, altar, turn);
  if (turn === "active" || altar.state === "idle") return;
  if (altar.state === "active") summonChampion(scene, altar);
  if (turn === "defeated") fellChampion(scene, altar);
}

function advance(scene: SimulationContext, altar: Champion): void {
  if (scene.random.chance(0.01)) return end(scene, altar, "expired", []);
  altar.kills += scene.random.int(60, 240);
  while (altar.kills >= killsNeeded(altar.level)) {
    altar.kills -= killsNeeded(altar.level);
    altar.level++;
    if (altar.level > topLevel) return summonChampion(scene, altar);
  }
  const maxKills = killsNeeded(altar.level);
  scene.emit("champ.progress", {
    ...identity(altar),
    map: altar.place.map,
    level: altar.level,
    rank: rankOf(altar.level),
    kills: altar.kills,
    maxKills,
    whiteSkulls: Math.floor((altar.kills / maxKills) * 5),
  });
}

function summonChampion(scene: SimulationContext, altar: Champion): void {
  altar.state = "boss";
  altar.level = 0;
  altar.kills = 0;
  scene.emit("champ.boss", {
    ...identity(altar),
    champion: altar.champion,
    serial: scene.world.serials.mobile(),
    location: altar.place,
  });
}

function fellChampion(scene: SimulationContext, altar: Champion): void {
  const fighters = new Set(
    Array.from({ length: 4 }, () => scene.world.online.pick(scene.random)).filter(
      (one) => one !== undefined,
    ),
  );
  const damagers = [...fighters].map(({ serial, name }) => ({
    serial,
    name,
    damage: scene.random.int(100, 20_000),
  }));
  end(
    scene,
    altar,
    "defeated",
    damagers.toSorted((one, other) => other.damage - one.damage),
  );
}

function end(
  scene: SimulationContext,
  altar: Champion,
  outcome: string,
  damagers: Payload[],
): void {
  altar.state = "idle";
  scene.emit("champ.end", {
    ...identity(altar),
    outcome,
    durationSec: Math.floor(Math.max(0, scene.now() - altar.startedAt) / 1_000),
    damagers,
    restartAt: outcome === "stopped" ? null : scene.now() + restDelayMs,
  });
}

const identity = ({ id, name, type }: Champion): Payload => ({ id, name, type });
