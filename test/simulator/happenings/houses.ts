import { defineSimulatedEvent } from "../events/scene.ts";
import type { SimulationContext } from "../events/scene.ts";
import { createHouse, houseRow, nextStageAt, stages } from "../world/houses.ts";
import type { House, Stage } from "../world/houses.ts";
import { ordinaryCharacter } from "../world/world.ts";
import { dismissAllOf } from "./market.ts";

const decay = defineSimulatedEvent(6, (scene) => {
  const house = scene.world.houses.pickWhere(scene.random, (one) => stageAfter(one) !== null);
  const next = house && stageAfter(house);
  if (!house || !next) return;
  if (next === "Collapsed" && hasVendors(scene, house)) {
    decayTo(scene, house, "DemolitionPending");
    return;
  }
  decayTo(scene, house, next);
  if (next === "Collapsed") remove(scene, house, "collapsed");
});

/** A player refreshes a house. The shard then sends the house's row, but no event about decay. */
const refresh = defineSimulatedEvent(5, (scene) => {
  const house = scene.world.houses.pickWhere(scene.random, mayRefresh);
  if (!house) return;
  house.stage = "LikeNew";
  house.lastRefreshed = scene.now();
  house.nextStageAt = nextStageAt("LikeNew", scene.now(), scene.random);
  scene.emit("house.upsert", houseRow(house));
});

const trade = defineSimulatedEvent(1, (scene) => {
  const house = scene.world.houses.pick(scene.random);
  if (!house) return;
  house.owner = ordinaryCharacter(scene.world, scene.random) ?? null;
  house.lastTraded = scene.now();
  scene.emit("house.upsert", houseRow(house));
});

const demolish = defineSimulatedEvent(1, (scene) => {
  const house = scene.world.houses.pick(scene.random);
  if (house) remove(scene, house, "demolished");
});

export const houseHappenings = { decay, refresh, trade, demolish };

function stageAfter(house: House): Stage | null {
  if (house.stage === "DemolitionPending") return "Collapsed";
  const at = (stages as readonly Stage[]).indexOf(house.stage);
  return at === -1 ? null : (stages[at + 1] ?? null);
}

const mayRefresh = (house: House): boolean =>
  house.owner !== null && !["Collapsed", "DemolitionPending", "Ageless"].includes(house.stage);

const hasVendors = ({ world }: SimulationContext, house: House): boolean =>
  house.stage === "IDOC" && world.vendors.values().some((vendor) => vendor.house === house);

function decayTo(scene: SimulationContext, house: House, stage: Stage): void {
  const from = house.stage;
  house.stage = stage;
  house.nextStageAt = nextStageAt(stage, scene.now(), scene.random);
  scene.emit("house.decay", { ...houseRow(house), from, to: stage });
}

/**
 * Removes a house and builds another one elsewhere, so that the number of houses stays the same.
 */
function remove(scene: SimulationContext, house: House, reason: string): void {
  const { world, random } = scene;
  world.houses.delete(house.serial);
  scene.emit("house.removed", { serial: house.serial, reason });
  dismissAllOf(scene, house);
  const owner = ordinaryCharacter(world, random) ?? null;
  const index = world.houses.size + 10;
  const built = createHouse({ random, serials: world.serials, now: scene.now(), owner, index });
  built.stage = "LikeNew";
  built.nextStageAt = nextStageAt("LikeNew", scene.now(), random);
  world.houses.set(built.serial, built);
  scene.emit("house.upsert", houseRow(built));
}
