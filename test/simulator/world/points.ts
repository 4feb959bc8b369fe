import type { RandomSource } from "../random.ts";
import type { Character } from "./people.ts";

export interface Board {
  readonly system: string;
  readonly nameString: string | null;
  /** The number of the text that names the board. 0 if the name is literal or missing. */
  readonly nameNumber: number;
  /** The maximum number of points. Nearly all systems have no limit, so the game reports the largest double. */
  readonly maxPoints: number;
  readonly showOnGump: boolean;
  readonly scores: Map<Character, number>;
}

const named = (system: string, name: number | string | null, maxPoints = Number.MAX_VALUE) => ({
  system,
  nameString: typeof name === "string" ? name : null,
  nameNumber: typeof name === "number" ? name : 0,
  maxPoints,
  showOnGump: shownOnGump.has(system),
});

const shownOnGump = new Set([
  "QueensLoyalty",
  "VoidPool",
  "DespiseCrystals",
  "ShameCrystals",
  "ViceVsVirtue",
]);

/**
 * The systems that have a board. Two share a name and seven have none, so only `system` identifies
 * a board.
 */
const systems = [
  named("QueensLoyalty", 1_095_163, 15_000),
  named("VoidPool", 1_152_733),
  named("DespiseCrystals", 1_151_673),
  named("ShameCrystals", 1_151_673),
  named("CasinoData", 1_153_485),
  named("CityTrading", "City Trading"),
  named("Moonglow", "Moonglow"),
  named("Britain", "Britain"),
  named("Jhelom", "Jhelom"),
  named("Yew", "Yew"),
  named("Minoc", "Minoc"),
  named("Trinsic", "Trinsic"),
  named("SkaraBrae", "SkaraBrae"),
  named("NewMagincia", "NewMagincia"),
  named("Vesper", "Vesper"),
  named("Blackthorn", null),
  named("CleanUpBritannia", null),
  named("ViceVsVirtue", "Vice Vs Virtue", 10_000),
  named("TreasuresOfKotlCity", null),
  named("PVPArena", "Arena Stats"),
  named("Khaldun", null),
  named("Doom", null),
  named("SorcerersDungeon", null),
  named("RisingTide", null),
  named("GauntletPoints", "Gauntlet Points"),
  named("TOT", "Treasures of Tokuno"),
  named("VAS", "Virtue Artifact System"),
  named("FellowshipData", "Fellowship Event"),
];

/** Creates the board of each system. Each fifth board is empty. */
export function createBoards(people: readonly Character[], random: RandomSource): Board[] {
  return systems.map((system, index) => {
    const scores = new Map<Character, number>();
    if (index % 5 !== 4) {
      for (let count = random.int(3, 40); count > 0; count--) {
        scores.set(random.pick(people), Math.min(system.maxPoints, points(random)));
      }
    }
    return { ...system, scores };
  });
}

/** Returns a number of points. In the game, points are doubles. */
const points = (random: RandomSource): number => random.int(1, 12_000) + random.int(0, 999) / 1_000;

const shown = 10;

export function boardRow(board: Board, now: number): Record<string, unknown> {
  const ranked = [...board.scores].toSorted(([, one], [, other]) => other - one).slice(0, shown);
  return {
    system: board.system,
    nameString: board.nameString,
    nameNumber: board.nameNumber,
    maxPoints: board.maxPoints,
    players: board.scores.size,
    showOnGump: board.showOnGump,
    top: ranked.map(([character, score], index) => ({
      rank: index + 1,
      serial: character.serial,
      name: character.name,
      points: score,
    })),
    t: now,
  };
}
