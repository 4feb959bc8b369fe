import { defineSimulatedEvent } from "../events/scene.ts";
import type { Payload, SimulationContext } from "../events/scene.ts";
import type { Character } from "../world/people.ts";
import { skillNames } from "../world/skills.ts";

/** The skill values that the shard reports when reached, in tenths of a point. */
const milestones = [500, 700, 900, 1_000, 1_100, 1_200];

const skill = defineSimulatedEvent(10, (scene) =>
  tell(scene, "skill.gain", (one) => {
    const name = scene.random.pick(skillNames);
    const base = scene.random.pick(milestones);
    one.skills.set(name, base);
    return { skill: name, base, delta: 1, cap: base > 1_000 ? 1_200 : 1_000 };
  }),
);

const fame = defineSimulatedEvent(4, (scene) =>
  tell(scene, "fame", (one) => {
    const old = one.fame;
    one.fame = Math.min(32_000, old + scene.random.int(1, 400));
    return { old, new: one.fame };
  }),
);

const karma = defineSimulatedEvent(4, (scene) =>
  tell(scene, "karma", (one) => {
    const old = one.karma;
    one.karma = Math.max(-32_000, old - scene.random.int(1, 400));
    return { old, new: one.karma };
  }),
);

const statCap = defineSimulatedEvent(1, (scene) =>
  tell(scene, "stat.cap", (one) => {
    const old = one.statCap;
    one.statCap = Math.min(260, old + 5);
    return { old, new: one.statCap };
  }),
);

const virtue = defineSimulatedEvent(2, (scene) =>
  tell(scene, "virtue", () => {
    const old = scene.random.int(0, 2);
    return { virtue: scene.random.pick(["Valor", "Honor", "Sacrifice"]), old, new: old + 1 };
  }),
);

const quest = defineSimulatedEvent(3, (scene) =>
  tell(scene, "quest.complete", ({ name }) => ({ name, quest: "TheUltimateHunter" })),
);

const tame = defineSimulatedEvent(2, (scene) =>
  tell(scene, "tame", () => ({ type: scene.random.pick(["Nightmare", "horse", "CuSidhe"]) })),
);

const craft = defineSimulatedEvent(4, (scene) =>
  tell(scene, "craft", () => ({ type: "PlateChest", amount: 1 })),
);

const harvest = defineSimulatedEvent(4, (scene) =>
  tell(scene, "harvest", () => ({ type: "IronOre", amount: scene.random.int(1, 4) })),
);

const bod = defineSimulatedEvent(1, (scene) =>
  tell(scene, "bod", () => ({ action: scene.random.pick(["offered", "used"]), type: "Smith" })),
);

export const progressHappenings = {
  skill,
  fame,
  karma,
  statCap,
  virtue,
  quest,
  tame,
  craft,
  harvest,
  bod,
};

/** Emits an event about a random online player. The payload contains the player's serial. */
function tell(scene: SimulationContext, kind: string, change: (one: Character) => Payload): void {
  const one = scene.world.online.pick(scene.random);
  if (one) scene.emit(kind, { serial: one.serial, ...change(one) });
}
