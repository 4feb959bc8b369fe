import type { RandomSource } from "../random.ts";
import type { Place } from "./places.ts";
import type { Serials } from "./serials.ts";

export interface Champion {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly champion: string;
  readonly group: string | null;
  readonly place: Place;
  state: "idle" | "active" | "boss";
  level: number;
  kills: number;
  startedAt: number;
}

type Altar = readonly [
  name: string,
  type: string,
  champion: string,
  map: string,
  ...point: readonly [number, number, number],
];

const altars: readonly Altar[] = [
  ["Despise", "VerminHorde", "Barracoon", "Felucca", 5557, 824, 65],
  ["Destard", "ColdBlood", "Rikktor", "Felucca", 5259, 837, 61],
  ["Valor", "ForestLord", "LordOaks", "Ilshenar", 382, 328, -30],
  ["Deceit", "UnholyTerror", "Neira", "Felucca", 5178, 708, 20],
  ["Fire", "Abyss", "Semidar", "Felucca", 5814, 1350, 2],
  ["Terathan Keep", "Arachnid", "Mephitis", "Felucca", 5190, 1605, 20],
  ["Twisted Weald", "Glade", "Twaulo", "Ilshenar", 2168, 1248, -60],
  ["Bedlam", "Corrupt", "Ilhenir", "Malas", 185, 1650, 0],
  ["Sleeping Dragon", "SleepingDragon", "Serado", "Tokuno", 948, 434, 29],
  ["Khaldun", "Khaldun", "KhalAnkur", "Felucca", 5468, 1406, 0],
  ["Humility", "VerminHorde", "Barracoon", "Ilshenar", 462, 926, -67],
  ["Spirituality", "ColdBlood", "Rikktor", "Ilshenar", 1645, 1107, 8],
];

export function createChampions(count: number, serials: Serials): Champion[] {
  return altars.slice(0, count).map(([name, type, champion, map, x, y, z], index) => ({
    id: serials.item(),
    name,
    type,
    champion,
    group: index < 6 && map === "Felucca" ? "FelDungeons" : null,
    place: { map, x, y, z, region: index % 2 === 0 ? name : null },
    state: "idle",
    level: 0,
    kills: 0,
    startedAt: 0,
  }));
}

/** Returns the rank of a level. At higher ranks, fewer kills give a red skull. */
export const rankOf = (level: number): number => [5, 10, 13].filter((from) => level >= from).length;
export const killsNeeded = (level: number): number => 256 >> rankOf(level);

export function beginChampion(champion: Champion, now: number, random: RandomSource): void {
  champion.state = "active";
  champion.level = random.int(0, 4);
  champion.kills = 0;
  champion.startedAt = now;
}
