import type { SourceFile } from "../../../imports/files/folder.ts";
import {
  type ByteProgressCallback,
  ignoreBytes,
  type FileFingerprint,
  readFileInPieces,
  sumFileSizes,
  startByteProgress,
} from "../../../imports/files/read-file.ts";
import { SourceFault } from "../../../imports/results/source-fault.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import type { AtlasRegion } from "../../calls/atlas-records.ts";
import type { AtlasTree } from "../tree/tree.ts";
import { type AtlasBatch, BatchCollector, type BatchConsumer } from "./batch.ts";
import { type FileParser, maxBytes } from "./parse-file.ts";
import { RegionIndex } from "./region-index.ts";

export const filesOf = ({ regions, spawns }: AtlasTree): SourceFile[] => [regions, ...spawns];

/** Hashes every file of a tree. @throws {SourceFault} */
export async function fingerprintTree(
  tree: AtlasTree,
  count: ByteProgressCallback = ignoreBytes,
): Promise<FileFingerprint[]> {
  const files = filesOf(tree);
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
  const [one, other] = [before, after].map((tree) => filesOf(tree).map(({ path }) => path));
  if (JSON.stringify(one) === JSON.stringify(other)) return;
  throw new SourceFault("SOURCE_CHANGED", "files were added or removed while the tree was read");
}
