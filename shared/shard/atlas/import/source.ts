import {
  type FileFingerprint,
  fingerprintFiles,
  startByteProgress,
} from "../../../imports/files/read-file.ts";
import type { AtlasSourceName } from "../../../imports/results/atlas.ts";
import { SourceFault } from "../../../imports/results/source-fault.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import { readImportPath } from "../../../imports/sources/paths.ts";
import { type AtlasRows, getAtlasManifestCall, walkAtlas } from "../../calls/atlas-calls.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import {
  type FaultCodeMap,
  openImportControlClient,
  readManifest,
  requireCompletePagedRead,
} from "../../calls/link-source.ts";
import type { ShardContext } from "../../context.ts";
import { parseInteger } from "../parsers/fields.ts";
import type { AtlasSink } from "../parsers/sink.ts";
import { findTree, type AtlasTreeView } from "../tree/tree.ts";
import { BatchCollector, type BatchConsumer } from "./batch.ts";
import { listTreeFiles, readTree, requireSameFiles, fingerprintTree } from "./read-tree.ts";

/** The kind and the path of the atlas's source. */
export interface AtlasLocation {
  readonly source: AtlasSourceName;
  readonly path: string | null;
}

export interface AtlasSource extends AtlasLocation {
  /** A hash of the content of all files. */
  readonly fingerprint: string;
  readonly files: readonly FileFingerprint[];
  /** The folders and files of a local tree that are read. */
  readonly tree: AtlasTreeView | null;
  /** Passes all records to `take` in batches. @throws {SourceFault} if the source changed or is invalid */
  read(this: void, run: Pick<ImportRun, "report" | "signal">, take: BatchConsumer): Promise<void>;
}

/** Returns the local tree if a path is set, else the linked shard. */
export async function readAtlasLocation(context: ShardContext): Promise<AtlasLocation> {
  const path = await readImportPath("atlas", context);
  return path === null ? { source: "bridge", path } : { source: "fs", path };
}

/** @throws {SourceFault} if the source cannot be read */
export const openAtlas = (
  { path }: AtlasLocation,
  context: ShardContext,
  run?: Pick<ImportRun, "report" | "signal">,
): Promise<AtlasSource> =>
  path === null ? openLinkedAtlas(context, run?.signal) : openLocalAtlas(path, run);

async function openLocalAtlas(path: string, run?: Pick<ImportRun, "report">): Promise<AtlasSource> {
  const tree = await findTree(path);
  const count = run && (await startByteProgress("source", listTreeFiles(tree), run));
  const files = await fingerprintTree(tree, count);
  return {
    source: "fs",
    path,
    fingerprint: fingerprintFiles(files),
    files,
    tree: viewOf(tree),
    read: async (reading, take) => {
      await readTree(tree, files, reading, take);
      requireSameFiles(tree, await findTree(path));
    },
  };
}

const viewOf = ({ kind, era, folders, leftOut }: AtlasTreeView): AtlasTreeView => {
  return { kind, era, folders, leftOut };
};

/** Maps the codes of calls to the fewer codes that the API of the atlas has. */
const codeNames: FaultCodeMap = {
  STUCK: "INCOMPLETE",
  PROTOCOL: "SHARD_DOWN",
  NO_SOURCE: "DISABLED",
  NO_IMAGING: "DISABLED",
  UNSUPPORTED: "DISABLED",
  UNAVAILABLE: "SHARD_DOWN",
};

/** Opens the atlas of the linked shard. @throws {SourceFault} if it is not available now */
async function openLinkedAtlas(context: ShardContext, signal?: AbortSignal): Promise<AtlasSource> {
  const control = await openImportControlClient(context);
  const manifest = await readManifest(
    () => control.read(getAtlasManifestCall, { signal }),
    ({ sha256: hash, hashing, complete }) => ({ hash, hashing, complete }),
    codeNames,
  );
  const total = manifest.counts.regions + manifest.counts.spawners;
  return {
    source: "bridge",
    path: null,
    fingerprint: manifest.sha256 ?? "",
    files: manifest.files,
    tree: null,
    read: async (run, take) => {
      const collector = new BatchCollector();
      let done = 0;
      const takePage = async (page: AtlasRows) => {
        addPage(page, collector.sink);
        await take(collector.takeBatch());
        done += page.regions.length + page.spawners.length;
        await run.report("records", done, total);
      };
      const walked = await walkAtlas(control, takePage, run.signal);
      requireCompletePagedRead(walked, codeNames);
      if (walked.manifest.sha256 === manifest.sha256) return;
      throw new SourceFault("SOURCE_CHANGED", "the source changed while it was read");
    },
  };
}

function addPage({ regions, spawners }: AtlasRows, sink: AtlasSink): void {
  for (const region of regions) addRegion(region, sink);
  for (const spawner of spawners) addSpawner(spawner, sink);
}

/** Normalizes the case of facets. Skips limbo, where the game keeps logged-out characters. */
function addRegion(region: AtlasRegion, sink: AtlasSink): void {
  const facet = sink.facets.read(region.facet);
  const { go, entrance, rects } = region;
  requireWhole([region.level, region.priority]);
  for (const part of [go, entrance, ...rects]) requireWhole(Object.values(part ?? {}));
  if (facet === null) sink.skip("noFacet");
  else sink.region({ ...region, facet });
}

function addSpawner(spawner: AtlasSpawner, sink: AtlasSink): void {
  const facet = sink.facets.read(spawner.facet);
  const { x, y, z, homeRange, walkRange, count, rect, entries } = spawner;
  requireWhole([x, y, z, homeRange, walkRange, count, ...Object.values(rect ?? {})]);
  requireWhole(entries.map(({ max }) => max));
  if (facet === null) sink.skip("noFacet");
  else sink.spawner({ ...spawner, facet });
}

/** Rejects numbers that the schemas allow but a column cannot hold. */
function requireWhole(values: readonly unknown[]): void {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.every((value) => parseInteger(value) !== undefined)) return;
  throw new SourceFault("MALFORMED", "a record holds a number that is out of range");
}
