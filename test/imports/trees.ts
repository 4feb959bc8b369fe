import type { FileContents } from "./import-test-site.ts";

// Small trees of files in the formats of real servers. Their contents are invented.

/** Returns a region for the file `Regions.xml`. */
export const regionXml = (name: string, inner = '<rect x="0" y="0" width="100" height="100" />') =>
  `<region type="TownRegion" priority="60" name="${name}">${inner}</region>`;

export const regionsXml = (facets: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0" encoding="utf-8"?><ServerRegions>${Object.entries(facets)
    .map(([name, regions]) => `<Facet name="${name}">${regions}</Facet>`)
    .join("")}</ServerRegions>`;

export interface Point {
  readonly id?: string;
  readonly map?: string;
  readonly x?: number;
  readonly y?: number;
  readonly objects?: string;
  readonly more?: string;
}

export const pointXml = ({
  id = "one",
  map = "Felucca",
  x = 10,
  y = 10,
  objects,
  more = "",
}: Point) =>
  `<Points><Name>Camp</Name><UniqueId>${id}</UniqueId><Map>${map}</Map><X>${x - 5}</X><Y>${y - 5}</Y>` +
  `<Width>10</Width><Height>10</Height><CentreX>${x}</CentreX><CentreY>${y}</CentreY><CentreZ>0</CentreZ>` +
  `<Range>5</Range><MaxCount>3</MaxCount>${more || "<MinDelay>5</MinDelay><MaxDelay>10</MaxDelay>"}` +
  `<IsRunning>True</IsRunning><Objects2>${objects ?? "Orc:MX=2:SB=0:DN=-1:DX=-1:OBJ=orc:MX=1"}</Objects2></Points>`;

export const spawnsXml = (...points: readonly Point[]): string =>
  `<Spawns>${points.map(pointXml).join("\n")}</Spawns>`;

/** A ServUO tree of two facets, each with one town and one spawner. */
export const servuoTree: FileContents = {
  "Data/Regions.xml": regionsXml({ Felucca: regionXml("Ash Hollow"), Malas: regionXml("Dusk") }),
  "Spawns/felucca.xml": spawnsXml({ id: "fel" }),
  "Spawns/Malas/deep.xml": spawnsXml({
    id: "mal",
    map: "malas",
    x: 500,
    y: 500,
    objects: "Imp:MX=1",
  }),
};

/** The same tree without the facet Malas. */
export const servuoTreeWithoutMalas: FileContents = {
  "Data/Regions.xml": regionsXml({ Felucca: regionXml("Ash Hollow") }),
  "Spawns/felucca.xml": spawnsXml({ id: "fel" }),
  "Spawns/Malas/deep.xml": "",
};

const modernSpawn = (guid: string, map: string) => ({
  $type: "Spawner",
  guid,
  name: "Spawner (1)",
  location: [10, 10, -5],
  map,
  count: 4,
  minDelay: "00:05:00",
  maxDelay: "1.00:10:00",
  homeRange: 8,
  walkingRange: -1,
  entries: [{ name: "Orc", maxCount: 3, probability: 100 }],
});

/** A tree of current ModernUO. Its files contain comments and commas that strict JSON forbids. */
export const modernuoTree: FileContents = {
  "Distribution/Data/regions.json": `[
    // the one town
    { "$type": "TownRegion", "Map": "Felucca", "Name": "Ash Hollow", "Priority": 50,
      "Area": [{ "x1": 0, "y1": 0, "x2": 100, "y2": 100 },], },
    { "$type": "BaseRegion", "Map": "Felucca", "Name": "Inn, \\"The Last\\" // not a comment",
      "Priority": 60, "Parent": { "Name": "Ash Hollow", "Map": "Felucca" }, "NoLogoutDelay": true,
      "Area": [{ "x1": 5, "y1": 5, "z1": -10, "x2": 20, "y2": 20, "z2": 20 }] /* it ends */ },
  ]`,
  "Distribution/Data/Spawns/shared/felucca/Outdoors.json": JSON.stringify([
    modernSpawn("a", "Felucca"),
  ]),
  "Distribution/Data/Spawns/uoml/felucca/Old.json": JSON.stringify([modernSpawn("b", "Felucca")]),
  "Distribution/Data/Spawns/post-uoml/termur/New.json": JSON.stringify([
    modernSpawn("c", "TerMur"),
  ]),
};

/**
 * A tree of ModernUO from 2020 to 2022: lower-case names, no subfolders, and parents given by name.
 */
export const oldModernuoTree: FileContents = {
  "Data/regions.json": JSON.stringify([
    {
      name: "Ash Hollow",
      type: "TownRegion",
      map: "Felucca",
      priority: 50,
      rects: [{ x1: 0, y1: 0, x2: 9, y2: 9 }],
      go: [1, 2, 3],
    },
    {
      name: "Inn",
      type: "BaseRegion",
      map: "Felucca",
      priority: 50,
      rects: [],
      parent: "Ash Hollow",
    },
  ]),
  "Data/Spawns/felucca.json": JSON.stringify([
    { ...modernSpawn("a", "Felucca"), $type: undefined, type: "Spawner", guid: undefined },
  ]),
};

interface XrunuoSpawner {
  readonly type?: string;
  readonly map?: string;
  readonly location?: string;
  readonly more?: string;
}

const spawnerXml = ({
  type = "Orc",
  map = "Felucca",
  location = 'X="10" Y="12" Z="-3"',
  more = "",
}: XrunuoSpawner): string =>
  `<Spawner><Name>${type}</Name><Count>4</Count><Location ${location} /><Map>${map}</Map>` +
  `<MinDelay>PT2M30S</MinDelay><MaxDelay>P1DT1H</MaxDelay><SpawnRange>50</SpawnRange>` +
  `<HomeRange>8</HomeRange>${more}<Flags><ScaledDelay /><Saturable /></Flags></Spawner>`;

/** Returns a file of spawners in the format of X-RunUO. */
export const spawnersXml = (...spawners: readonly XrunuoSpawner[]): string =>
  `\uFEFF<?xml version="1.0" encoding="utf-8" standalone="yes"?>\r\n<Spawners>${spawners.map(spawnerXml).join("\r\n")}</Spawners>`;

/** A tree of X-RunUO: one file per place, in one folder per facet. */
export const xrunuoTree: FileContents = {
  "Data/Regions.xml": `\uFEFF${regionsXml({ Felucca: regionXml("Ash Hollow"), Malas: regionXml("Dusk") })}`,
  "Data/Spawns/Felucca/AshHollow.xml": spawnersXml({}, { type: "Ettin", map: "felucca" }),
  "Data/Spawns/Malas/World.xml": spawnersXml({ map: "Malas" }),
};

/** Returns a line of a spawn map by Nerun. */
export const mapLine = (type: string, map: number, x = 10): string =>
  `*|${type}||||||${x}|10|0|${map}|5|10|20|15|1|3|0|0|0|0|0\n`;

/** A RunUO tree with the maps of several worlds in one folder, as distributions unpack them. */
export const runuoTreeOfWorlds: FileContents = {
  "Data/Regions.xml": regionsXml({ Felucca: regionXml("Ash Hollow"), Malas: regionXml("Dusk") }),
  "Data/Nerun's Distro/Spawns/felucca/Camp.map": mapLine("Orc", 1),
  "Data/Nerun's Distro/Spawns/Malas/Deep.map": mapLine("Imp", 4),
  "Data/Nerun's Distro/Spawns/Own.map": mapLine("Ettin", 1),
  "Data/Nerun's Distro/Spawns/Spawns.map": mapLine("Orc", 1) + mapLine("Imp", 4),
  "Data/Nerun's Distro/Spawns/uoml/felucca/Camp.map": mapLine("Orc", 1),
  "Data/Nerun's Distro/Spawns/uoclassic/UOClassic.map": mapLine("Rat", 1).repeat(9),
  "Data/Monsters/Felucca/Camp.map": mapLine("Orc", 1),
};

/** A RunUO tree with maps by Nerun. One of them has an old encoding. */
export const runuoTree: FileContents = {
  "Data/Regions.xml": `\uFEFF${regionsXml({ Felucca: regionXml("Ash Hollow"), Trammel: regionXml("Ash Hollow") })}`,
  "Data/Nerun's Distro/Spawns/felucca/Camp.map": Buffer.from(
    "## caf\u00e9\r\noverrridemintime 2\r\n" +
      "*|Orc:orclord|Ettin||||||x|5|0|1|5|10|20|15|1|3|2|0|0|0|0\r\n" +
      "*|Orc:orclord|Ettin|||||12|13|-4|0|5|10|20|15|1|3|2|0|0|0|0\r\n" +
      "overridemap 4\r\n" +
      "*|Imp||||||12|13|-4|0|5|10|20|15|1|1|0|0|0|0|0|9\r\n",
    "latin1",
  ),
  "Data/Nerun's Distro/Spawns/uoml/felucca/Camp.map":
    "*|Rat||||||1|1|0|1|5|10|20|15|1|3|0|0|0|0|0\n",
};
