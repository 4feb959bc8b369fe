import { defineSimulatedEvent } from "../events/scene.ts";
import type { Payload, SimulationContext } from "../events/scene.ts";
import { itemKinds } from "../world/items.ts";
import type { Character } from "../world/people.ts";
import { boardRow } from "../world/points.ts";

const creatures = ["an ancient lich", "a skeletal dragon", "a <paragon> ogre lord", "a balron"];
const creatureTypes = ["AncientLich", "SkeletalDragon", "OgreLord", "Balron"];

/** An online player dies. A death by drowning or poison has no killer. */
const death = defineSimulatedEvent(6, (scene) => {
  const victim = scene.world.online.pick(scene.random);
  if (!victim) return;
  scene.emit("player.death", {
    ...named(victim),
    ...killerOf(scene, victim),
    corpse: scene.world.serials.item(),
    location: victim.place,
  });
});

const murder = defineSimulatedEvent(2, (scene) => {
  const murderer = scene.world.online.pick(scene.random);
  const victim = scene.world.online.pickWhere(scene.random, (one) => one !== murderer);
  if (!murderer || !victim) return;
  murderer.kills++;
  scene.emit("player.murder", {
    murderer: named(murderer),
    victim: named(victim),
    location: victim.place,
    kills: murderer.kills,
  });
});

const creatureKill = defineSimulatedEvent(5, (scene) => {
  const killer = scene.world.online.pick(scene.random);
  scene.emit("creature.kill", {
    type: scene.random.pick(creatureTypes),
    serial: scene.world.serials.mobile(),
    killer: killer ? named(killer) : null,
    paragon: scene.random.chance(0.4),
    location: killer?.place ?? null,
  });
});

const artifact = defineSimulatedEvent(2, (scene) =>
  drop(scene, "drop.artifact", ["paragon", "doom"]),
);
const scroll = defineSimulatedEvent(2, (scene) => drop(scene, "drop.scroll", ["champion"]));

const award = defineSimulatedEvent(6, (scene) => {
  const board = scene.world.boards.pick(scene.random);
  const character = scene.world.online.pick(scene.random);
  if (!board || !character) return;
  const before = board.scores.get(character) ?? 0;
  const points = Math.min(board.maxPoints, before + scene.random.int(1, 500) / 4);
  board.scores.set(character, points);
  scene.emit("points.award", {
    system: board.system,
    serial: character.serial,
    points,
    delta: points - before,
    cause: scene.random.pick(["kill", "quest"]),
  });
  scene.emit("points.board", boardRow(board, scene.now()));
});

export const deedHappenings = { death, murder, creatureKill, artifact, scroll, award };

function killerOf(scene: SimulationContext, victim: Character): Payload {
  const draw = scene.random.next();
  if (draw < 0.2) return { killerSerial: null, killerName: null, killerType: null, pvp: false };
  const killer = draw < 0.4 ? scene.world.online.pick(scene.random) : undefined;
  if (killer !== undefined && killer !== victim) {
    const { serial, name } = killer;
    return { killerSerial: serial, killerName: name, killerType: "PlayerMobile", pvp: true };
  }
  const at = scene.random.int(0, creatures.length - 1);
  const killerSerial = scene.world.serials.mobile();
  return { killerSerial, killerName: creatures[at], killerType: creatureTypes[at], pvp: false };
}

function drop(scene: SimulationContext, kind: string, causes: readonly string[]): void {
  const finder = scene.world.online.pick(scene.random);
  if (!finder) return;
  const item = scene.random.pick(itemKinds);
  scene.emit(kind, {
    serial: scene.world.serials.item(),
    itemType: kind === "drop.scroll" ? "PowerScroll" : item.itemType,
    name: scene.random.chance(0.5) ? "Orcish Visage's <Bane>" : null,
    to: named(finder),
    from: scene.random.pick(creatureTypes),
    kind: scene.random.pick(causes),
    location: finder.place,
  });
}

const named = ({ serial, name }: Character): Payload => ({ serial, name });
