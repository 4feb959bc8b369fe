import type { RandomSource } from "../random.ts";

export interface Place {
  readonly map: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The nearest region that has a name. Null in the wilderness and in regions without a name. */
  readonly region: string | null;
}

export interface Facet {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly rules: string;
}

export const facets = [
  { name: "Felucca", width: 7168, height: 4096, rules: "FeluccaRules" },
  { name: "Trammel", width: 7168, height: 4096, rules: "TrammelRules" },
  { name: "Ilshenar", width: 2304, height: 1600, rules: "TrammelRules" },
  { name: "Malas", width: 2560, height: 2048, rules: "TrammelRules" },
  { name: "Tokuno", width: 1448, height: 1448, rules: "TrammelRules" },
  { name: "TerMur", width: 1280, height: 4096, rules: "TrammelRules" },
] as const satisfies readonly Facet[];

/** The map on which the game keeps logged-out characters and packed-up vendors. */
export const nowhere: Place = { map: "Internal", x: 0, y: 0, z: 0, region: null };

/** Towns with vendors come first and several times, because most of a market is in few places. */
export const towns: readonly Place[] = [
  { map: "Malas", x: 990, y: 527, z: -50, region: "Luna" },
  { map: "Malas", x: 964, y: 541, z: -50, region: "Luna" },
  { map: "Trammel", x: 3503, y: 2574, z: 14, region: "New Haven" },
  { map: "Trammel", x: 1602, y: 1591, z: 20, region: "Britain" },
  { map: "Felucca", x: 1602, y: 1591, z: 20, region: "Britain" },
  { map: "Felucca", x: 2476, y: 413, z: 15, region: "Minoc" },
  { map: "Trammel", x: 633, y: 858, z: 0, region: "Yew" },
  { map: "Felucca", x: 4408, y: 1168, z: 0, region: "Moonglow" },
  { map: "Trammel", x: 1845, y: 2745, z: 0, region: "Trinsic" },
  { map: "Felucca", x: 1374, y: 3826, z: 0, region: "Jhelom" },
  { map: "Trammel", x: 618, y: 2234, z: 0, region: "Skara Brae" },
  { map: "Trammel", x: 2771, y: 976, z: 0, region: "Vesper" },
  { map: "Felucca", x: 3732, y: 1279, z: 0, region: "Nujel'm" },
  { map: "Felucca", x: 3010, y: 3371, z: 15, region: "Serpent's Hold" },
  { map: "Felucca", x: 2706, y: 2163, z: 0, region: "Buccaneer's Den" },
  { map: "Tokuno", x: 736, y: 1256, z: 30, region: "Zento" },
  { map: "TerMur", x: 738, y: 3486, z: -19, region: "Royal City" },
];

const dungeons: readonly Place[] = [
  { map: "Felucca", x: 5557, y: 824, z: 65, region: "Despise" },
  { map: "Felucca", x: 5259, y: 837, z: 61, region: "Destard" },
  { map: "Trammel", x: 5396, y: 127, z: 0, region: "Shame" },
  { map: "Trammel", x: 5905, y: 22, z: 44, region: "Hythloth" },
  { map: "Malas", x: 2366, y: 1268, z: -85, region: "Doom" },
  { map: "Ilshenar", x: 382, y: 328, z: -30, region: null },
];

/** A facet that the game does not have by default. Many shards have maps of their own. */
const oddFacet = "Sosaria";

/** Returns a random place where a character may be. */
export function pickRandomPlace(random: RandomSource): Place {
  const draw = random.next();
  if (draw < 0.5) return pickNearbyPlace(random.pick(towns), random);
  if (draw < 0.72) return pickNearbyPlace(random.pick(dungeons), random);
  return pickWildernessPlace(random);
}

/**
 * Returns a place outside all regions. Nearly all houses stand there. Its z is often below zero.
 */
export function pickWildernessPlace(random: RandomSource): Place {
  const facet = random.pick(facets);
  return {
    map: random.chance(0.02) ? oddFacet : facet.name,
    x: random.int(16, facet.width - 17),
    y: random.int(16, facet.height - 17),
    z: random.chance(0.25) ? random.int(-90, -1) : random.int(0, 40),
    region: null,
  };
}

export function pickNearbyPlace(place: Place, random: RandomSource): Place {
  return { ...place, x: place.x + random.int(-12, 12), y: place.y + random.int(-12, 12) };
}
