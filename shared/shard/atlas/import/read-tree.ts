import type { SourceFile } from "../../../imports/files/folder.ts";
import {
  type ByteProgressCallback,
  type FileFingerprint,
  ignoreByteProgress,
  readFileInPieces,
  startByteProgress,
  sumFileSizes,
} from "../../../imports/files/read-file.ts";
import { SourceFault } from "../../../imports/results/source-fault.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import type { AtlasBox, AtlasPoint, AtlasRegion } from "../../calls/atlas-records.ts";
import type { AtlasTree } from "../tree/tree.ts";
import { type AtlasBatch, BatchCollector, type BatchConsumer } from "./batch.ts";
import { type FileParser, maxBytes } from "./parse-file.ts";

export const listTreeFiles = ({ regions, spawns }: AtlasTree): SourceFile[] => [regions, ...spawns];

/** Hashes every file of a tree. @throws {SourceFault} */
export async function fingerprintTree(
  tree: AtlasTree,
  count: ByteProgressCallback = ignoreByteProgress,
): Promise<FileFingerprint[]> {
  const files = listTreeFiles(tree);
  if (sumFileSizes(files) > maxBytes.tree) {
    throw new SourceFault("TOO_LARGE", "the tree holds more than 256 MiB");
  }
  const stamps: FileFingerprint[] = [];
  for (const file of files) {
    const stamp = await readFileInPieces(file, maxBytes.streamed, ({ length }) => count(length));
    stamps.push(stamp);
  }
  return stamps;
}

interface TreeReading {
  readonly tree: AtlasTree;
  /** The expected hash of every file, by path. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly collector: BatchCollector;
  readonly parsing: Awaited<ReturnType<typeof loadParsing>>;
  readonly run: Pick<ImportRun, "report">;
}

/**
 * Parses a tree: first its regions, then its spawners, each with the region that contains it.
 * @param stamps the hashes of the files; a parsed file must have the same hash
 * @throws {SourceFault} NO_REGIONS, NO_SPAWNS, MALFORMED, TOO_LARGE, SOURCE_CHANGED
 */
export async function readTree(
  tree: AtlasTree,
  stamps: readonly FileFingerprint[],
  run: Pick<ImportRun, "report">,
  take: BatchConsumer,
): Promise<void> {
  const hashes = new Map(stamps.map(({ path, sha256 }) => [path, sha256]));
  const parsing = await loadParsing();
  const reading: TreeReading = { tree, hashes, collector: new BatchCollector(), parsing, run };
  const regions = await readRegions(reading, take);
  await readSpawns(reading, new RegionIndex(regions), take);
}

// Loaded on demand, because the API inspects trees without parsing them.
const loadParsing = () => import("./parse-file.ts");

async function readRegions(reading: TreeReading, take: BatchConsumer): Promise<AtlasRegion[]> {
  const { tree, run, parsing } = reading;
  const count = await startByteProgress("regions", [tree.regions], run);
  let regions: AtlasRegion[] = [];
  await readFile(tree.regions, parsing.regionParserOf(tree), reading, async (batch, bytes) => {
    regions = regions.concat(batch.regions);
    await take(batch);
    await count(bytes);
  });
  if (regions.length > 0) return regions;
  throw new SourceFault("NO_REGIONS", `${tree.regions.path}: it holds no region`);
}

async function readSpawns(
  reading: TreeReading,
  index: RegionIndex,
  take: BatchConsumer,
): Promise<void> {
  const { tree, run, collector, parsing } = reading;
  const count = await startByteProgress("spawns", tree.spawns, run);
  let spawners = 0;
  for (const file of tree.spawns) {
    if (file.size === 0) collector.sink.skip("emptyFile");
    else {
      await readFile(file, parsing.spawnParsers[tree.kind], reading, async (batch, bytes) => {
        spawners += batch.spawners.length;
        await take(addRegionNames(batch, index));
        await count(bytes);
      });
    }
  }
  for (const { size } of tree.unknown) {
    collector.sink.skip(size === 0 ? "emptyFile" : "otherFormat");
  }
  await take(collector.takeBatch());
  if (spawners > 0) return;
  throw new SourceFault("NO_SPAWNS", "the spawn files contain no spawner");
}

const addRegionNames = (batch: AtlasBatch, index: RegionIndex): AtlasBatch => ({
  ...batch,
  spawners: batch.spawners.map((spawner) =>
    spawner.region === null
      ? { ...spawner, region: index.nameAt(spawner.facet, spawner) }
      : spawner,
  ),
});

/** @param take receives the records and the number of bytes of each chunk */
async function readFile(
  file: SourceFile,
  parser: FileParser,
  { hashes, collector, parsing }: TreeReading,
  take: (batch: AtlasBatch, bytes: number) => Promise<void>,
): Promise<void> {
  const stamp = await parsing.parseFile(file, parser, collector.sink, (bytes) =>
    take(collector.takeBatch(), bytes),
  );
  if (stamp.sha256 === hashes.get(file.path)) return;
  throw new SourceFault("SOURCE_CHANGED", `${file.path}: it changed while it was read`);
}

/** @throws {SourceFault} SOURCE_CHANGED if files were added or removed meanwhile */
export function requireSameFiles(before: AtlasTree, after: AtlasTree): void {
  const [one, other] = [before, after].map((tree) => listTreeFiles(tree).map(({ path }) => path));
  if (JSON.stringify(one) === JSON.stringify(other)) return;
  throw new SourceFault("SOURCE_CHANGED", "files were added or removed while the tree was read");
}

interface IndexedRegion {
  readonly region: AtlasRegion;
  /** The name of the region, or of the nearest enclosing region with a name. */
  readonly label: string | null;
  readonly bounds: AtlasBox;
}

/** Finds the region of a point by the rules of the game's own loader. */
export class RegionIndex {
  readonly #byFacet = new Map<string, IndexedRegion[]>();

  constructor(regions: readonly AtlasRegion[]) {
    for (const region of regions) {
      const bounds = boundsOf(region.rects);
      if (!bounds) continue;
      const placed = this.#byFacet.get(region.facet) ?? [];
      placed.push({ region, label: labelOf(region), bounds });
      this.#byFacet.set(region.facet, placed);
    }
    // The first region that contains a point wins.
    for (const placed of this.#byFacet.values()) placed.sort(byRank);
  }

  /** Returns the name of the region that contains the point; null outside all named regions. */
  nameAt(facet: string, point: AtlasPoint): string | null {
    const inside = this.#byFacet
      .get(facet)
      ?.find(
        ({ bounds, region }) =>
          containsPoint(bounds, point) && region.rects.some((rect) => containsPoint(rect, point)),
      );
    return inside?.label ?? null;
  }
}

const labelOf = ({ name, parent }: AtlasRegion): string | null =>
  name ?? (typeof parent === "string" ? parent : null);

const byRank = ({ region: one }: IndexedRegion, { region: other }: IndexedRegion): number =>
  other.priority - one.priority || other.level - one.level;

const containsPoint = (box: AtlasBox, { x, y, z }: AtlasPoint): boolean =>
  x >= box.x1 && x < box.x2 && y >= box.y1 && y < box.y2 && z >= box.z1 && z < box.z2;

function boundsOf(rects: readonly AtlasBox[]): AtlasBox | undefined {
  const [first, ...rest] = rects;
  if (!first) return undefined;
  return rest.reduce(mergeBoxes, first);
}

const mergeBoxes = (one: AtlasBox, other: AtlasBox): AtlasBox => ({
  x1: Math.min(one.x1, other.x1),
  y1: Math.min(one.y1, other.y1),
  z1: Math.min(one.z1, other.z1),
  x2: Math.max(one.x2, other.x2),
  y2: Math.max(one.y2, other.y2),
  z2: Math.max(one.z2, other.z2),
});
