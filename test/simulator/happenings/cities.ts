import { defineSimulatedEvent } from "../events/scene.ts";
import type { SimulationContext } from "../events/scene.ts";
import { governorRow } from "../world/cities.ts";
import type { City } from "../world/cities.ts";

const weekMs = 7 * 86_400_000;

/** Advances the election of one city by one phase, from the nomination to the inauguration. */
const election = defineSimulatedEvent(4, (scene) => {
  const city = scene.world.cities.pick(scene.random);
  if (!city) return;
  if (city.phase === "idle") return nominate(scene, city);
  if (city.phase === "ended") return conclude(scene, city);
  if (city.phase === "voting") city.phase = "ended";
  if (city.phase === "nomination") city.phase = "voting";
  for (const candidate of city.candidates.keys()) {
    city.candidates.set(candidate, scene.random.int(0, 80));
  }
  tellElection(scene, city);
});

const resign = defineSimulatedEvent(1, (scene) => {
  const city = scene.world.cities.pickWhere(scene.random, (one) => one.governor !== null);
  if (!city) return;
  city.governor = null;
  scene.emit("governor.upsert", governorRow(city));
});

export const cityHappenings = { election, resign };

function nominate(scene: SimulationContext, city: City): void {
  city.phase = "nomination";
  city.candidates.clear();
  for (let count = scene.random.int(1, 4); count > 0; count--) {
    const candidate = scene.world.online.pick(scene.random);
    if (candidate) city.candidates.set(candidate, 0);
  }
  tellElection(scene, city);
}

/** Ends an election: the winner takes or declines the office. */
function conclude(scene: SimulationContext, city: City): void {
  const winner = [...city.candidates].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? null;
  const accepted = winner !== null && scene.random.chance(0.8);
  city.phase = "idle";
  city.governor = accepted ? winner : null;
  const elect = winner && { serial: winner.serial, name: winner.name };
  scene.emit("governor.result", {
    city: city.name,
    governor: accepted ? elect : null,
    elect,
    pending: winner !== null && !accepted,
  });
  scene.emit("governor.upsert", governorRow(city));
}

function tellElection(scene: SimulationContext, city: City): void {
  scene.emit("governor.election", {
    city: city.name,
    phase: city.phase,
    until: scene.now() + weekMs,
    candidates: [...city.candidates].map(([{ serial, name }, votes]) => ({ serial, name, votes })),
  });
}
