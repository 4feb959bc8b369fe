import { defineSimulatedEvent } from "../events/scene.ts";
import type { Payload, SimulationContext } from "../events/scene.ts";
import { facets } from "../world/places.ts";
import { highestPrice } from "../world/vendors.ts";
import type { ShardWorld } from "../world/world.ts";
import { vendorsGold } from "./market.ts";

const dayMs = 86_400_000;
const billion = 1_000_000_000;

/**
 * Emits the event of a save. The world is not saved, because saving a full world each time would
 * distort measurements.
 */
const save = defineSimulatedEvent(2, (scene) => {
  const counts = { items: scene.random.int(400_000, 401_000), mobiles: 42_000 };
  scene.emit("server.save", { phase: "start", durationMs: null, ...counts });
  scene.emit("server.save", { phase: "done", durationMs: scene.random.int(900, 9_000), ...counts });
});

const restartScheduled = defineSimulatedEvent(1, (scene) => {
  const delaySec = scene.random.int(60, 3_600);
  scene.emit("server.restart.scheduled", { at: scene.now() + delaySec * 1_000, delaySec });
});

const mapChanged = defineSimulatedEvent(1, (scene) =>
  scene.emit("world.map.changed", { maps: [...facets, { name: "Sosaria", rules: "Custom" }] }),
);

/**
 * Emits an event of a kind that the service does not know. Plugins add kinds before sites support
 * them.
 */
const unheardOf = defineSimulatedEvent(2, (scene) =>
  scene.emit("shard.weather", {
    map: "Felucca",
    sky: "storm",
    acct: "maple",
    nested: { ip: "::1" },
  }),
);

export const serverHappenings = { save, restartScheduled, mapChanged, unheardOf };

export const buildRuleset = (world: ShardWorld): Payload => ({
  expansion: "EJ",
  maps: facets.map(({ name, rules }) => ({ name, rules })),
  skillCap: 1_000,
  totalSkillCap: 7_000,
  statCap: 225,
  accountsPerIp: world.accountsPerIp,
  houseLimit: 1,
  decay: { type: "dynamic", periods: ["1h", "24-48h", "24-48h", "24-48h", "24-48h", "12-24h"] },
  signupMode: world.signupMode,
  vvv: true,
  siege: false,
  youngHours: 40,
  restartHour: 4,
  vendorMaxPrice: highestPrice,
  champions: world.champions.values().map(({ name, type }) => ({ name, type })),
});

/** Returns the state of the economy. The gold is in coins; the total of a shard exceeds 32 bits. */
export function buildEconomyState({
  world,
  now,
}: Pick<SimulationContext, "world" | "now">): Payload {
  const accounts = world.accounts.values();
  const gold = accounts.reduce((sum, account) => sum + account.gold, 40 * billion);
  const weekAgo = now() - 7 * dayMs;
  return {
    accounts: accounts.length,
    gold,
    platinum: Math.floor(gold / billion),
    activeAccounts7d: accounts.filter((account) => (account.lastLogin ?? 0) > weekAgo).length,
    vendorsGold: vendorsGold(world),
    t: now(),
  };
}

export const buildHeartbeat = (scene: SimulationContext, uptimeMs: number): Payload => ({
  online: scene.world.online.size,
  items: scene.random.int(400_000, 401_000),
  mobiles: 42_000,
  guilds: scene.world.guilds.size,
  memBytes: scene.random.int(900_000_000, 1_100_000_000),
  cpu: scene.random.int(3, 60) / 100,
  uptimeMs,
});
