import { SourceFault } from "../../../imports/results/source-fault.ts";
import type { AtlasBox, AtlasPoint, AtlasRegion } from "../../calls/atlas-records.ts";
import { cleanText, parseFlag, parseInteger } from "./fields.ts";
import { defaultRegionHeights, toRegion } from "./region-parts.ts";
import type { AtlasSink, TextParser } from "./sink.ts";
import { type Attributes, createXmlParser } from "./xml.ts";

/** Maximum number of regions in a file; the largest stock tree has 534. */
const maxRegions = 20_000;

/** A rectangle without heights takes those of its region, which may come later in the file. */
type Rect = Omit<AtlasBox, "z1" | "z2"> & {
  readonly z1: number | undefined;
  readonly z2: number | undefined;
};

interface Draft {
  readonly facet: string;
  readonly parent: Draft | undefined;
  readonly name: string | null;
  readonly type: string | null;
  readonly priority: number;
  readonly expansion: string | null;
  readonly rects: Rect[];
  z1: number;
  z2: number;
  go: AtlasPoint | null;
  entrance: AtlasRegion["entrance"];
  music: string | null;
  rune: string | null;
  guardsDisabled: boolean;
  noHousing: boolean;
  logoutDelay: boolean;
}

/** Parses `Data/Regions.xml` of RunUO, ServUO and related servers. */
export function createRegionsXmlParser(file: string, sink: AtlasSink): TextParser {
  const drafts: Draft[] = [];
  const open: Draft[] = [];
  let facet: string | null = null;
  const begin = (draft: Draft): void => {
    drafts.push(draft);
    open.push(draft);
    if (drafts.length <= maxRegions) return;
    throw new SourceFault("TOO_LARGE", `${file}: more than ${maxRegions} regions`);
  };
  const parser = createXmlParser(file, {
    open(name, attributes, path) {
      if (name === "facet" && path.length === 1) facet = sink.facets.read(attributes["name"]);
      if (facet === null && name === "region") sink.skip("noFacet");
      if (facet === null) return;
      if (name === "region" && isRegionPlace(path)) {
        begin(startRegion(facet, attributes, open.at(-1)));
        return;
      }
      const within = path.at(-1);
      if (within === "spawning") sink.regionSpawn();
      const region = within === "region" ? open.at(-1) : undefined;
      if (region) parts.get(name)?.(region, attributes, sink);
    },
    close(name, _text, path) {
      if (name === "region" && isRegionPlace(path)) open.pop();
      if (name === "facet" && path.length === 1) facet = null;
    },
  });
  return {
    write: parser.write,
    end: () => {
      parser.end();
      for (const draft of drafts) sink.region(finishRegion(draft));
    },
  };
}

const isRegionPlace = (path: readonly string[]): boolean =>
  path[1] === "facet" && path.slice(2).every((name) => name === "region");

/** The game gives a child region the priority of its parent and ignores its own. */
const startRegion = (facet: string, attributes: Attributes, parent: Draft | undefined): Draft => ({
  facet,
  parent,
  name: cleanText(attributes["name"]),
  type: cleanText(attributes["type"]),
  priority: parent?.priority ?? parseInteger(attributes["priority"]) ?? 50,
  expansion: cleanText(attributes["expansion"]),
  rects: [],
  ...defaultRegionHeights,
  go: null,
  entrance: null,
  music: null,
  rune: null,
  guardsDisabled: false,
  noHousing: false,
  logoutDelay: true,
});

type ReadPart = (region: Draft, attributes: Attributes, sink: AtlasSink) => void;

/** CATALOGUE of the elements within a region. */
const partsByName: Readonly<Record<string, ReadPart>> = {
  rect(region, attributes, sink) {
    const rect = readRect(attributes);
    if (rect) region.rects.push(rect);
    else sink.warn();
  },
  zrange(region, { min, max }) {
    region.z1 = parseInteger(min) ?? defaultRegionHeights.z1;
    region.z2 = parseInteger(max) ?? defaultRegionHeights.z2;
  },
  go(region, attributes) {
    region.go = readPoint(attributes);
  },
  entrance(region, attributes, sink) {
    const point = readPoint(attributes);
    const map = sink.facets.read(attributes["map"] ?? region.facet);
    region.entrance = point && map !== null ? { ...point, map } : null;
  },
  music(region, { name }) {
    region.music = cleanText(name);
  },
  rune(region, { name }) {
    region.rune = cleanText(name);
  },
  logoutdelay(region, { active }) {
    region.logoutDelay = parseFlag(active, true);
  },
  guards(region, { disabled }) {
    region.guardsDisabled = parseFlag(disabled, false);
  },
  smartnohousing(region, { active }) {
    region.noHousing = parseFlag(active, true);
  },
};

/** A Map, because an element may have the name of a property of every object, such as `constructor`. */
const parts: ReadonlyMap<string, ReadPart> = new Map(Object.entries(partsByName));

/** Without `z` the game takes the height of the ground, which is unknown here, so 0 is used. */
function readPoint({ x, y, z }: Attributes): AtlasPoint | null {
  const point = { x: parseInteger(x), y: parseInteger(y), z: parseInteger(z ?? "0") };
  const { x: across, y: down, z: height } = point;
  if (across === undefined || down === undefined || height === undefined) return null;
  return { x: across, y: down, z: height };
}

/** Accepts `x`, `y` or `x1`, `y1`: both occur in one file. */
function readRect(attributes: Attributes): Rect | undefined {
  const x1 = parseInteger(attributes["x"] ?? attributes["x1"]);
  const y1 = parseInteger(attributes["y"] ?? attributes["y1"]);
  if (x1 === undefined || y1 === undefined) return undefined;
  const { width, height } = attributes;
  const x2 = parseInteger(
    width === undefined ? attributes["x2"] : x1 + (parseInteger(width) ?? NaN),
  );
  const y2 = parseInteger(
    height === undefined ? attributes["y2"] : y1 + (parseInteger(height) ?? NaN),
  );
  if (x2 === undefined || y2 === undefined) return undefined;
  return {
    x1,
    y1,
    x2,
    y2,
    z1: parseInteger(attributes["zmin"]),
    z2: parseInteger(attributes["zmax"]),
  };
}

function finishRegion(draft: Draft): AtlasRegion {
  const { parent, z1, z2, rects, expansion, ...plain } = draft;
  return toRegion({
    ...plain,
    parents: pathTo(parent),
    music: musicOf(draft),
    rects: rects.map((rect) => ({ ...rect, z1: rect.z1 ?? z1, z2: rect.z2 ?? z2 })),
    minExpansion: expansion,
    maxExpansion: null,
  });
}

const pathTo = (draft: Draft | undefined): string[] =>
  draft ? [...pathTo(draft.parent), draft.name ?? ""] : [];

const musicOf = (draft: Draft): string | null =>
  draft.music ?? (draft.parent ? musicOf(draft.parent) : null);
