import { existsSync } from "node:fs";
import path from "node:path";

import { writeFiles } from "../../imports/import-test-site.ts";
import { createRandom, type RandomSource } from "../../simulator/random.ts";

/**
 * A copy of a real server's data in a folder next to the project, used if it exists. Its license
 * forbids a copy in this repository.
 */
const realTree = path.join(import.meta.dirname, "../../../../shared/data/servuo");

/** The numbers of regions and spawners of a real server, by facet. */
const facets = [
  { name: "Felucca", regions: 128, spawners: 2_421 },
  { name: "Trammel", regions: 156, spawners: 2_809 },
  { name: "Ilshenar", regions: 73, spawners: 514 },
  { name: "Malas", regions: 24, spawners: 251 },
  { name: "Tokuno", regions: 6, spawners: 476 },
  { name: "TerMur", regions: 52, spawners: 246 },
] as const;

const extent = { x: 6_100, y: 4_000 } as const;

/**
 * Finds or generates a server's data.
 * @returns the folder of the real data, or else `folder` with data of the same structure and size
 */
export async function atlasTree(folder: string): Promise<string> {
  if (existsSync(realTree)) return realTree;
  const random = createRandom("a tree of the size of a real one");
  const spawns = facets.map(({ name, spawners }): [string, string] => [
    `Spawns/${name.toLowerCase()}.xml`,
    `<Spawns>\n${times(spawners, () => spawnerXml(name, random))}</Spawns>\n`,
  ]);
  const regions = facets
    .map(({ name, regions: count }) => {
      const inner = times(count, (at) => regionXml(`${name} ${at}`, random));
      return `  <Facet name="${name}">\n${inner}  </Facet>\n`;
    })
    .join("");
  const head = '<?xml version="1.0" encoding="utf-8"?>\n';
  const files = {
    "Data/Regions.xml": `${head}<ServerRegions>\n${regions}</ServerRegions>\n`,
    ...Object.fromEntries(spawns),
  };
  await writeFiles(folder, files);
  return folder;
}

function regionXml(name: string, random: RandomSource): string {
  const rects = times(random.int(1, 4), () => {
    const [x, y] = [random.int(0, extent.x), random.int(0, extent.y)];
    const [width, height] = [random.int(10, 300), random.int(10, 300)];
    return `      <rect x="${x}" y="${y}" width="${width}" height="${height}" />\n`;
  });
  const go = `      <go x="${random.int(0, extent.x)}" y="${random.int(0, extent.y)}" z="0" />\n`;
  return `    <region type="DungeonRegion" priority="50" name="${name}">\n${rects}${go}    </region>\n`;
}

/** Fields of a spawner that real files contain and the import ignores. */
const unread: readonly (readonly [name: string, value: string])[] = [
  ["Duration", "0"],
  ["DespawnTime", "0"],
  ["ProximityRange", "-1"],
  ["ProximityTriggerSound", "500"],
  ["TriggerProbability", "1"],
  ["InContainer", "False"],
  ["MinRefractory", "0"],
  ["MaxRefractory", "0"],
  ["TODStart", "0"],
  ["TODEnd", "0"],
  ["TODMode", "0"],
  ["KillReset", "1"],
  ["ExternalTriggering", "False"],
  ["SequentialSpawning", "-1"],
  ["AllowGhostTriggering", "False"],
  ["AllowNPCTriggering", "False"],
  ["SpawnOnTrigger", "False"],
  ["SmartSpawning", "False"],
  ["TickReset", "False"],
  ["Team", "0"],
  ["Amount", "1"],
  ["IsGroup", "False"],
];

function spawnerXml(facet: string, random: RandomSource): string {
  const [x, y] = [random.int(0, extent.x), random.int(0, extent.y)];
  const elements: (readonly [string, string | number])[] = [
    ["Name", `camp ${random.int(1, 999)}`],
    ["UniqueId", random.uuid()],
    ["Map", facet],
    ["X", x - 5],
    ["Y", y - 5],
    ["Width", 10],
    ["Height", 10],
    ["CentreX", x],
    ["CentreY", y],
    ["CentreZ", random.int(-40, 40)],
    ["Range", 5],
    ["MaxCount", random.int(1, 8)],
    ["MinDelay", 5],
    ["MaxDelay", 10],
    ["DelayInSec", "False"],
    ...unread,
    ["IsRunning", "True"],
    ["IsHomeRangeRelative", "True"],
    ["Objects2", objectsOf(random)],
  ];
  const lines = elements.map(([name, value]) => `    <${name}>${value}</${name}>\n`).join("");
  return `  <Points>\n${lines}  </Points>\n`;
}

/**
 * Returns the creatures of a spawner. Most spawners have one or two kinds, and some have twenty.
 */
function objectsOf(random: RandomSource): string {
  const count = Math.min(20, 1 + Math.round(random.logNormal(1.6, 1.1)));
  return Array.from({ length: count }, () => {
    const max = random.int(1, 3);
    return `creature${random.int(1, 820)}:MX=${max}:SB=0:RT=0:TO=0:KL=0:RK=0:CA=1:DN=-1:DX=-1:SP=1:PR=-1`;
  }).join(":OBJ=");
}

const times = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join("");
