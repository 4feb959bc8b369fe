import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { SourceFault } from "../../shared/imports/results/source-fault.ts";
import { BatchCollector } from "../../shared/shard/atlas/import/batch.ts";
import { RegionIndex } from "../../shared/shard/atlas/import/read-tree.ts";
import { parseIsoDuration } from "../../shared/shard/atlas/parsers/fields.ts";
import { readRegionsJson } from "../../shared/shard/atlas/parsers/regions-json.ts";
import { createRegionsXmlParser } from "../../shared/shard/atlas/parsers/regions-xml.ts";
import { createSpawnersXmlParser } from "../../shared/shard/atlas/parsers/spawners-xml.ts";
import { readSpawnsJson } from "../../shared/shard/atlas/parsers/spawns-json.ts";
import { readSpawnsMap } from "../../shared/shard/atlas/parsers/spawns-map.ts";
import {
  createSpawnsXmlParser,
  parseXmlSpawnerEntries,
  parseXmlSpawner2Entries,
} from "../../shared/shard/atlas/parsers/spawns-xml.ts";
import { createAtlasCollector, type AtlasCollector } from "./collect.ts";
import {
  mapLine,
  modernuoTree,
  pointXml,
  regionsXml,
  regionXml,
  runuoTree,
  spawnersXml,
  spawnsXml,
} from "./trees.ts";

function readXml(create: typeof createRegionsXmlParser, text: string): AtlasCollector {
  const collected = createAtlasCollector();
  const parser = create("file.xml", collected.sink);
  // Pass the text in small pieces, because files are read in pieces too.
  for (let at = 0; at < text.length; at += 7) parser.write(text.slice(at, at + 7));
  parser.end();
  return collected;
}

const readRegions = (text: string): AtlasCollector => readXml(createRegionsXmlParser, text);
const readSpawners = (text: string): AtlasCollector => readXml(createSpawnersXmlParser, text);
const readSpawns = (text: string): AtlasCollector => readXml(createSpawnsXmlParser, text);

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "none";
  } catch (error) {
    if (error instanceof SourceFault) return error.code;
    throw error;
  }
};

describe("the parser of Regions.xml", () => {
  const nested = regionsXml({
    felucca: `<region type="TownRegion" priority="70" name="Ash Hollow">
      <rect x="10" y="20" width="5" height="6" /><rect x1="0" y1="0" x2="3" y2="4" zmin="-7" />
      <go x="1" y="2" /><entrance x="5" y="6" z="-1" map="ILSHENAR" /><music name="Town" />
      <guards disabled="True" /><rune name="the city" /><logoutDelay active="false" />
      <region priority="3"><region type="NoHousingRegion" name="Inn">
        <rect x="1" y="1" width="0" height="0" /><zrange min="4" />
      </region></region></region>`,
    Internal: "<region name='Limbo'><rect x='0' y='0' width='1' height='1' /></region>",
  });

  it("gives a child region its parent's priority, music and name", () => {
    const { regions } = readRegions(nested);
    expect(
      regions.map(({ name, level, priority, music, parent }) => [
        name,
        level,
        priority,
        music,
        parent,
      ]),
    ).toEqual([
      ["Ash Hollow", 0, 70, "Town", null],
      [null, 1, 70, "Town", "Ash Hollow"],
      ["Inn", 2, 70, "Town", "Ash Hollow"],
    ]);
  });

  it("counts regions without a facet, and spawns that are defined within regions", () => {
    const spawning =
      '<spawning><object type="FarmableWheat" amount="3" /><mobile type="Bird" /></spawning>';
    const { regions, skippedBy, counted } = readRegions(
      nested.replace('<rune name="the city" />', spawning),
    );
    expect([regions.length, skippedBy, counted]).toEqual([3, { noFacet: 1 }, { regionSpawns: 2 }]);
  });

  it("ignores unknown elements, even one named like a property of JavaScript objects", () => {
    const odd = "<__proto__ /><constructor /><toString /><hasOwnProperty /><weather />";
    const rect = '<rect x="1" y="2" width="3" height="4" />';
    const { regions } = readRegions(regionsXml({ felucca: regionXml("Ash Hollow", odd + rect) }));
    expect(regions).toEqual(
      readRegions(regionsXml({ felucca: regionXml("Ash Hollow", rect) })).regions,
    );
  });

  it("reads both spellings of a rectangle as half-open, with the heights of the region", () => {
    const [town, , inn] = readRegions(nested).regions;
    expect(town?.rects).toEqual([
      { x1: 10, y1: 20, x2: 15, y2: 26, z1: -128, z2: 128 },
      { x1: 0, y1: 0, x2: 3, y2: 4, z1: -7, z2: 128 },
    ]);
    expect(inn?.rects).toEqual([{ x1: 1, y1: 1, x2: 1, y2: 1, z1: 4, z2: 128 }]);
  });

  it("reads the other fields of a region, and stores its facet in the standard spelling", () => {
    const [town] = readRegions(nested).regions;
    expect(town).toMatchObject({
      facet: "Felucca",
      type: "TownRegion",
      go: { x: 1, y: 2, z: 0 },
      entrance: { x: 5, y: 6, z: -1, map: "Ilshenar" },
      rune: "the city",
      guarded: false,
      housing: false,
      logoutDelay: false,
      area: 42,
    });
  });

  it("yields the name of a place from the region of highest priority, then depth, or its named ancestor", () => {
    const { regions } = readRegions(
      regionsXml({
        Malas: `<region name="Wide"><rect x="0" y="0" width="100" height="100" />
            <region><rect x="10" y="10" width="5" height="5" /></region></region>
          <region name="High" priority="90"><rect x="50" y="50" width="5" height="5" /></region>
          <region priority="95"><rect x="80" y="80" width="5" height="5" /></region>`,
      }),
    );
    const index = new RegionIndex(regions);
    const at = (x: number, z = 0) => index.nameAt("Malas", { x, y: x, z });
    expect([at(1), at(11), at(51), at(81), at(100), at(1, 128)]).toEqual([
      "Wide",
      "Wide",
      "High",
      null,
      null,
      null,
    ]);
    expect(index.nameAt("Tokuno", { x: 1, y: 1, z: 0 })).toBeNull();
  });
});

describe("the parser of XmlSpawner2 files", () => {
  it("reads a spawner, and converts minutes to seconds", () => {
    const { spawners } = readSpawns(spawnsXml({ id: "abc" }));
    const none = { probability: null, args: null, minDelaySec: null, maxDelaySec: null };
    expect(spawners).toEqual([
      {
        facet: "Felucca",
        key: "abc",
        name: "Camp",
        x: 10,
        y: 10,
        z: 0,
        rect: { x1: 5, y1: 5, x2: 15, y2: 15 },
        homeRange: 5,
        walkRange: 5,
        count: 3,
        minDelaySec: 300,
        maxDelaySec: 600,
        running: true,
        region: null,
        entries: [
          { type: "Orc", typeKey: "orc", max: 2, ...none },
          { type: "orc", typeKey: "orc", max: 1, ...none },
        ],
        source: "file.xml",
      },
    ]);
  });

  it.each([
    ["<MinDelay>1</MinDelay><MaxDelay>180</MaxDelay><DelayInSec>True</DelayInSec>", 1, 180],
    ["<MinDelay>5</MinDelay><MinDelay>7</MinDelay>", 300, 420],
    ["<MinDelay>5</MinDelay>", 300, 300],
    ["<MaxDelay>5</MaxDelay>", 0, 300],
  ])("reads delays from %s", (more, minDelaySec, maxDelaySec) => {
    expect(readSpawns(spawnsXml({ more })).spawners[0]).toMatchObject({ minDelaySec, maxDelaySec });
  });

  it("skips a spawner without a position, and keeps a spawner without objects", () => {
    const { spawners, odd } = readSpawns(
      spawnsXml({ map: "Internal" }, { objects: " " }).replace("</Spawns>", "<Points /></Spawns>"),
    );
    expect([spawners.length, odd]).toEqual([1, { skipped: 2, warnings: 1 }]);
  });

  it("reads spawners at any depth of the document, as the game does", () => {
    const { spawners } = readSpawns(`<NewDataSet>${spawnsXml({ id: "deep" })}</NewDataSet>`);
    expect(spawners.map(({ key, x }) => [key, x])).toEqual([["deep", 10]]);
  });

  it("gives the reason for each spawner that it skips", () => {
    const points = [
      "<Map>Felucca</Map><CentreX>1</CentreX>",
      "<Map>Felucca</Map><CentreX>1</CentreX><CentreY>east</CentreY>",
      "<Map /><CentreX>1</CentreX><CentreY>1</CentreY>",
      "<CentreX>1</CentreX><CentreY>1</CentreY>",
      "<Map>127</Map><CentreX>1</CentreX><CentreY>1</CentreY>",
    ];
    const { spawners, skippedBy } = readSpawns(
      `<Spawns>${points.map((inner) => `<Points>${inner}</Points>`).join("")}</Spawns>`,
    );
    expect([spawners, skippedBy]).toEqual([[], { noPosition: 2, noFacet: 3 }]);
  });

  it("prefers the newer list of objects, and falls back to the older one", () => {
    const text = pointXml({}).replace("<Objects2>", "<Objects>Rat=9</Objects><Objects2>");
    const both = readSpawns(`<Spawns>${text}</Spawns>`);
    expect(both.spawners[0]?.entries.map(({ type }) => type)).toEqual(["Orc", "orc"]);
    const older = readSpawns(`<Spawns>${text.replace(/<Objects2>.*<\/Objects2>/, "")}</Spawns>`);
    expect(older.spawners[0]?.entries).toMatchObject([{ type: "Rat", max: 9 }]);
  });

  it.each([
    ["Phantom,{RND,4,8}:MX=3:SB=0:DN=1.5:DX=2", [["Phantom", 3, ",{RND,4,8}", 90, 120]]],
    ["Horse/name/Bob:MX=1:DN=-1:DX=-1", [["Horse", 1, "/name/Bob", null, null]]],
    [
      "orc:MX=2:DN=:OBJ=Ettin:MX=4:PR=1:PR=2",
      [
        ["orc", 2, null, null, null],
        ["Ettin", 4, null, null, null],
      ],
    ],
    ["#CONDITION,x:MX=1:OBJ=imp", [["imp", 1, null, null, null]]],
    [":OBJ=:OBJ=", []],
  ])("reads the objects %s", (text, expected) => {
    expect(
      parseXmlSpawner2Entries(text).map(({ type, max, args, minDelaySec, maxDelaySec }) => [
        type,
        max,
        args,
        minDelaySec,
        maxDelaySec,
      ]),
    ).toEqual(expected);
  });

  it("reads the objects of the older element Objects", () => {
    expect(parseXmlSpawnerEntries("Orc=3:Ettin=1:Rat").map(({ type, max }) => [type, max])).toEqual(
      [
        ["Orc", 3],
        ["Ettin", 1],
        ["Rat", 1],
      ],
    );
  });
});

describe("the parser of X-RunUO's spawners", () => {
  it("reads a spawner of one type, with its durations and both ranges", () => {
    const { spawners, odd } = readSpawners(spawnersXml({}, { more: "<Active>False</Active>" }));
    const spawner = {
      facet: "Felucca",
      key: expect.stringMatching(/^[0-9a-f]{40}$/),
      name: null,
      x: 10,
      y: 12,
      z: -3,
      rect: null,
      homeRange: 50,
      walkRange: 8,
      count: 4,
      minDelaySec: 150,
      maxDelaySec: 90_000,
      running: true,
      region: null,
      entries: [
        {
          type: "Orc",
          typeKey: "orc",
          max: 4,
          probability: null,
          args: null,
          minDelaySec: null,
          maxDelaySec: null,
        },
      ],
      source: "file.xml",
    };
    expect([spawners, odd]).toEqual([
      [spawner, { ...spawner, running: false }],
      { skipped: 0, warnings: 0 },
    ]);
  });

  it("skips spawners without a position and other elements, and keeps a spawner without a type", () => {
    const { spawners, odd, skippedBy } = readSpawners(
      spawnersXml({ map: "Internal" }, { location: 'X="1"' }, { type: "" }).replace(
        "</Spawners>",
        "<Other><Name>x</Name></Other></Spawners>",
      ),
    );
    expect([spawners.map(({ entries }) => entries), odd.warnings]).toEqual([[[]], 1]);
    expect(skippedBy).toEqual({ noFacet: 1, noPosition: 1, notARecord: 1 });
  });

  it.each([
    ["PT5M", 300],
    ["PT2M30.5S", 150.5],
    ["P1DT2H", 93_600],
    ["PT0S", 0],
    ["P", undefined],
    ["PT", undefined],
    ["-PT5M", undefined],
    ["00:05:00", undefined],
  ])("reads the duration %s", (text, seconds) => {
    expect(parseIsoDuration(text)).toBe(seconds);
  });
});

describe("the XML parser", () => {
  it.each([
    ["a document type", '<!DOCTYPE s [<!ENTITY a "b">]><Spawns/>'],
    ["an undeclared entity", "<Spawns>&a;</Spawns>"],
    ["a truncated file", spawnsXml({}).slice(0, -20)],
    ["deep nesting", `${"<a>".repeat(40)}${"</a>".repeat(40)}`],
    ["an endless text", `<Spawns><Points><Name>${"x".repeat(70_000)}</Name></Points></Spawns>`],
    ["text that is not XML", "version https://git-lfs"],
    ["a NUL", "<Spawns>\0</Spawns>"],
  ])("refuses %s", (_, text) => {
    expect(codeOf(() => readSpawns(text))).toBe("MALFORMED");
  });
});

describe("the parser of ModernUO's JSON", () => {
  it("reads regions with comments, trailing commas, parents and boxes", () => {
    const { sink, regions } = createAtlasCollector();
    readRegionsJson("regions.json", String(modernuoTree["Distribution/Data/regions.json"]), sink);
    expect(regions).toMatchObject([
      {
        name: "Ash Hollow",
        facet: "Felucca",
        level: 0,
        parent: null,
        guarded: true,
        logoutDelay: true,
      },
      {
        name: 'Inn, "The Last" // not a comment',
        level: 1,
        parent: "Ash Hollow",
        priority: 60,
        logoutDelay: false,
        rects: [{ x1: 5, y1: 5, z1: -10, x2: 20, y2: 20, z2: 20 }],
      },
    ]);
  });

  it.each([
    [{ x: 1, y: 2, width: 3, height: 4 }, [1, 2, 4, 6, -128, 128]],
    [{ x: 1, y: 2, z: 3, w: 4, h: 5, d: 6 }, [1, 2, 5, 7, 3, 9]],
    [{ start: { x: 1, y: 2, z: 3 }, end: [4, 5, 6] }, [1, 2, 4, 5, 3, 6]],
    [
      [1, 2, 3, 4, 5, 6],
      [1, 2, 5, 7, 3, 9],
    ],
    [
      [1, 2, 3, 4],
      [1, 2, 4, 6, -128, 128],
    ],
    ["(1, 2, 3, 4)", [1, 2, 4, 6, -128, 128]],
  ])("reads the box %j", (area, [x1, y1, x2, y2, z1, z2]) => {
    const { sink, regions } = createAtlasCollector();
    readRegionsJson("f", JSON.stringify([{ Map: "Malas", Name: "A", Area: [area] }]), sink);
    expect(regions[0]?.rects).toEqual([{ x1, y1, x2, y2, z1, z2 }]);
  });

  it("stops at a limited depth if the parents of regions form a circle", () => {
    const { sink, regions } = createAtlasCollector();
    const list = ["A", "B"].map((Name) => ({
      Map: "Malas",
      Name,
      Parent: Name === "A" ? "B" : "A",
    }));
    readRegionsJson("f", JSON.stringify(list), sink);
    expect(regions.map(({ level }) => level)).toEqual([16, 16]);
  });

  it("reads a spawner with its time spans and ranges", () => {
    const { sink, spawners } = createAtlasCollector();
    readSpawnsJson(
      "f",
      String(modernuoTree["Distribution/Data/Spawns/shared/felucca/Outdoors.json"]),
      sink,
    );
    expect(spawners).toMatchObject([
      {
        key: "a",
        z: -5,
        count: 4,
        minDelaySec: 300,
        maxDelaySec: 87_000,
        homeRange: 8,
        walkRange: 8,
        rect: null,
      },
    ]);
  });

  it.each([
    ["an object", "{}"],
    ["an unclosed list", "["],
    ["a text", '"x"'],
    ["a list of many levels", `${"[".repeat(60)}${"]".repeat(60)}`],
    ["more levels than the stack holds", "[".repeat(200_000)],
    ["two commas", "[1,,]"],
    ["an unclosed comment", "[1] /* and"],
    ["nothing but errors", ",".repeat(4_000_000)],
  ])("refuses %s", (_, text) => {
    expect(codeOf(() => readSpawnsJson("f", text, createAtlasCollector().sink))).toBe("MALFORMED");
  });

  it("names the line that it cannot read", () => {
    expect(() => readSpawnsJson("f", "[\n// one\n{ x }]", createAtlasCollector().sink)).toThrow(
      "f: line 3: InvalidSymbol",
    );
  });
});

describe("the parser of Nerun's maps", () => {
  it("stores a spawner of map 0 in both worlds, and reads lists with their counts and overrides", () => {
    const { sink, spawners, odd } = createAtlasCollector();
    const bytes = runuoTree["Data/Nerun's Distro/Spawns/felucca/Camp.map"] as Buffer;
    readSpawnsMap("Camp.map", bytes.toString("latin1"), sink);
    expect(odd.skipped).toBe(1);
    expect(
      spawners.map(({ facet, count, minDelaySec, maxDelaySec, walkRange, homeRange, entries }) => [
        facet,
        [count, minDelaySec, maxDelaySec, walkRange, homeRange],
        entries.map(({ type, max }) => `${type} ${max}`),
      ]),
    ).toEqual([
      ["Felucca", [5, 120, 600, 20, 15], ["Orc 3", "orclord 3", "Ettin 2"]],
      ["Trammel", [5, 120, 600, 20, 15], ["Orc 3", "orclord 3", "Ettin 2"]],
      ["Malas", [1, 120, 600, 20, 15], ["Imp 1"]],
    ]);
  });
});

describe("the parser of Nerun's maps, line by line", () => {
  const read = (text: string) => {
    const collected = createAtlasCollector();
    readSpawnsMap("a.map", text, collected.sink);
    return collected;
  };

  it.each([
    ["5|10", 300, 600],
    ["15s|2m", 15, 120],
    ["1h|2h", 3_600, 7_200],
    ["5|x", 300, 300],
  ])("reads the delays %s", (delays, minDelaySec, maxDelaySec) => {
    const { spawners } = read(mapLine("Orc", 1).replace("5|10", delays));
    expect(spawners).toMatchObject([{ minDelaySec, maxDelaySec }]);
  });

  it("counts lines that are not spawners, and ignores comments", () => {
    const { spawners, skippedBy } = read(
      `## of Ash Hollow\n\n overrideid 7\nr${mapLine("Orc", 1).slice(1)}* Orc 1 2 3\n` +
        mapLine("Orc", 999) +
        mapLine("Orc", 1).replace("|10|10|", "|10||") +
        mapLine("Orc", 1),
    );
    expect(spawners).toHaveLength(1);
    expect(skippedBy).toEqual({ notARecord: 2, noFacet: 1, noPosition: 1 });
  });
});

describe("a file with random content", () => {
  const pieces = [
    "<Spawns>",
    "</Spawns>",
    "<Points>",
    "</Points>",
    "<ServerRegions>",
    '<Facet name="Malas">',
    "</Facet>",
    "<region>",
    "</region>",
    '<rect x="1" y="2" width="3" height="x"/>',
    "<Spawners>",
    "<Spawner>",
    '<Location X="1" Y="2" Z="1e9"/>',
    "<MinDelay>PT5M</MinDelay>",
    "<Objects2>",
    ":OBJ=",
    ":MX=",
    "</Objects2>",
    "<Map>Malas</Map>",
    "<CentreX>9</CentreX>",
    "<CentreY>1e99</CentreY>",
    "&amp;",
    "&#0;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "\uFEFF",
    "\0",
  ];
  const xmlText = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string()))
    .map((parts) => parts.join(""));
  const field = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double(),
    fc.constant(null),
    fc.array(fc.anything()),
  );
  const record = fc.dictionary(
    fc.constantFrom(
      "Map",
      "Name",
      "location",
      "Area",
      "Parent",
      "entries",
      "minDelay",
      "spawnBounds",
      "count",
      "$type",
    ),
    fc.oneof(
      field,
      fc.dictionary(fc.constantFrom("x", "y", "x1", "y1", "start", "name"), field),
      fc.constant("Malas"),
    ),
  );
  const anyJson = fc.oneof(
    fc.json(),
    fc.array(record).map((list) => JSON.stringify(list)),
    fc.string(),
  );
  const anyLine = fc
    .array(fc.oneof(fc.integer().map(String), fc.string(), fc.constantFrom("Orc:Rat", "0", "1")))
    .map((parts) => `*|${parts.join("|")}`);

  const accepts = (work: (collected: AtlasCollector) => void): void => {
    const collected = createAtlasCollector();
    try {
      work(collected);
    } catch (error) {
      expect(error).toBeInstanceOf(SourceFault);
    }
    // All collected values must be ones that the database can store.
    const numbers = [...collected.spawners, ...collected.regions.flatMap(({ rects }) => rects)]
      .flatMap((one) => Object.values(one))
      .filter((value): value is number => typeof value === "number");
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(JSON.stringify([collected.spawners, collected.regions])).not.toContain("\\u0000");
  };

  it("is read or refused with a code if it should be XML", () => {
    const property = fc.property(xmlText, (text) => {
      for (const create of [
        createRegionsXmlParser,
        createSpawnsXmlParser,
        createSpawnersXmlParser,
      ]) {
        accepts(({ sink }) => {
          const parser = create("f", sink);
          parser.write(text);
          parser.end();
        });
      }
    });
    expect(() => fc.assert(property, { numRuns: 300 })).not.toThrow();
  });

  it("is read or refused with a code if it should be JSON or a map", () => {
    const property = fc.property(anyJson, anyLine, (text, line) => {
      accepts(({ sink }) => readRegionsJson("f", text, sink));
      accepts(({ sink }) => readSpawnsJson("f", text, sink));
      accepts(({ sink }) => readSpawnsMap("f", `${line}\n${text}`, sink));
    });
    expect(() => fc.assert(property, { numRuns: 300 })).not.toThrow();
  });
});

describe("a batch of read records", () => {
  it("leaves out spawners outside the map of their facet, and counts them with examples", () => {
    const { spawners } = readSpawns(spawnsXml({ id: "in" }));
    const [inside] = spawners;
    if (!inside) throw new Error("nothing was read");
    const collector = new BatchCollector();
    const places = [
      { x: 7_167, y: 4_095 },
      { x: 7_168, y: 0 },
      { x: 0, y: 4_096 },
      { x: 0, y: -1 },
    ];
    for (const place of places) collector.sink.spawner({ ...inside, ...place, source: "link" });
    const batch = collector.takeBatch();
    expect(batch.spawners.map(({ x, y }) => ({ x, y }))).toEqual([places[0]]);
    expect([...batch.skipped]).toEqual([["outsideMap", 3]]);
    expect(batch.examples.map(({ text }) => text)).toEqual([
      "link: Felucca 7168, 0",
      "link: Felucca 0, 4096",
      "link: Felucca 0, -1",
    ]);
    expect(collector.takeBatch()).toMatchObject({ spawners: [], examples: [] });
  });
});
