import { sha256 } from "./source.ts";

/** The types of creatures of a normal shard, with their bodies. */
const bodies: Readonly<Record<string, number>> = {
  alligator: 202,
  balron: 40,
  bird: 6,
  blackbear: 211,
  brownbear: 167,
  cat: 201,
  chicken: 208,
  corpser: 8,
  cow: 216,
  daemon: 9,
  dog: 217,
  dolphin: 151,
  dragon: 12,
  eagle: 5,
  ettin: 18,
  gargoyle: 4,
  gazer: 22,
  giantspider: 28,
  harpy: 30,
  headlessone: 31,
  hellhound: 98,
  horse: 200,
  imp: 74,
  lich: 24,
  lizardman: 35,
  mongbat: 39,
  nightmare: 116,
  ogre: 1,
  orc: 17,
  orccaptain: 7,
  pig: 203,
  rabbit: 205,
  rat: 238,
  ratman: 42,
  reaper: 47,
  scorpion: 48,
  seaserpent: 150,
  sheep: 207,
  skeleton: 50,
  slime: 51,
  snake: 52,
  timberwolf: 225,
  troll: 54,
  wisp: 58,
  zombie: 3,
};

export const creatureBodies = [...new Set(Object.values(bodies))];
export const creatureTypes = Object.keys(bodies);

/** Types in spawners that are items, camps or chests. */
const notCreatures = new Set(["treasurelevel1", "treasurelevel2", "orccamp", "pumpkin"]);

/** Types for which the game has no script. The first type is a keyword of spawners. */
const unknownTypes = new Set(["set", "nosuchbeast"]);

/** Types whose body is drawn at random. */
const variable = new Set(["savage", "escortablemage"]);

export interface CreatureBodyAnswer {
  readonly type: string;
  readonly status: "ok" | "unknown" | "notCreature" | "failed";
  readonly body: number | null;
}

/**
 * Returns the body of a type. Case is ignored, as in the game. A type of another shard gets one of
 * the known bodies.
 */
export function resolveCreatureBody(type: string): CreatureBodyAnswer {
  const key = type.toLowerCase();
  if (notCreatures.has(key)) return { type, status: "notCreature", body: null };
  if (variable.has(key)) return { type, status: "failed", body: null };
  if (unknownTypes.has(key) || !/^[a-z][a-z0-9]*$/.test(key)) {
    return { type, status: "unknown", body: null };
  }
  const other = Number.parseInt(sha256(key).slice(0, 6), 16) % creatureBodies.length;
  return { type, status: "ok", body: bodies[key] ?? (creatureBodies[other] as number) };
}
