import type { Context } from "../../context.ts";
import { fingerprintOf } from "../../imports/fingerprint.ts";
import { type CodeNames, openLink, readManifest, requireGood } from "../../imports/link-source.ts";
import { readImportPath } from "../../imports/paths.ts";
import type { FileStamp } from "../../imports/read-file.ts";
import type { ImportRun } from "../../imports/run-import.ts";
import { SourceFault } from "../../imports/source-fault.ts";
import type { AtlasRegion, AtlasSpawner } from "../sources/atlas-records.ts";
import { getAtlasManifest, walkAtlas } from "../sources/atlas-source.ts";
import { wholeNumber } from "./fields.ts";
import type { AtlasLoading } from "./loading.ts";
import { readTree, requireSameFiles, stampTree } from "./read-tree.ts";
import type { AtlasSource } from "./result.ts";
import { findTree, type TreeKind } from "./tree.ts";

/** Where the atlas is read from. */
export interface AtlasPlace {
  readonly source: AtlasSource;
  readonly path: string | null;
}

/** A source that can be read, as it stands. */
export interface AtlasOrigin extends AtlasPlace {
  /** Stands for the content of all files. */
  readonly fingerprint: string;
  readonly files: readonly FileStamp[];
  readonly kind: TreeKind | null;
  readonly era: string | null;
  /** @throws {SourceFault} when it is not the same any more, or not sound */
  read(this: void, loading: AtlasLoading, run: Pick<ImportRun, "report" | "signal">): Promise<void>;
}

/** A local tree when a path is set, else the linked shard. */
export async function placeOfAtlas(context: Context): Promise<AtlasPlace> {
  const path = await readImportPath("atlas", context);
  return path === null ? { source: "bridge", path } : { source: "fs", path };
}

/** @throws {SourceFault} when the source cannot be read */
export const openAtlas = (
  { path }: AtlasPlace,
  context: Context,
  signal?: AbortSignal,
): Promise<AtlasOrigin> =>
  path === null ? openLinkedAtlas(context, signal) : openLocalAtlas(path, signal);

async function openLocalAtlas(path: string, signal?: AbortSignal): Promise<AtlasOrigin> {
  const tree = await findTree(path);
  const files = await stampTree(tree, signal);
  return {
    source: "fs",
    path,
    fingerprint: fingerprintOf(files),
    files,
    kind: tree.kind,
    era: tree.era,
    read: async (loading, run) => {
      await readTree(tree, files, loading, run);
      requireSameFiles(tree, await findTree(path));
    },
  };
}

/** The contract of the atlas prints fewer codes than a walk has. */
const codeNames: CodeNames = {
  STUCK: "INCOMPLETE",
  PROTOCOL: "SHARD_DOWN",
  NO_SOURCE: "DISABLED",
  NO_IMAGING: "DISABLED",
  UNSUPPORTED: "DISABLED",
  UNAVAILABLE: "SHARD_DOWN",
};

async function openLinkedAtlas(context: Context, signal?: AbortSignal): Promise<AtlasOrigin> {
  const control = await openLink(context);
  const manifest = await readManifest(
    () => control.read(getAtlasManifest, { signal }),
    ({ sha256: hash, hashing, complete }) => ({ hash, hashing, complete }),
    codeNames,
  );
  const { regions, spawners } = manifest.counts;
  return {
    source: "bridge",
    path: null,
    fingerprint: manifest.sha256 ?? "",
    files: manifest.files,
    kind: null,
    era: null,
    read: async (loading, run) => {
      let done = 0;
      const take = async (rows: { regions: AtlasRegion[]; spawners: AtlasSpawner[] }) => {
        for (const region of rows.regions) takeRegion(region, loading);
        for (const spawner of rows.spawners) takeSpawner(spawner, loading);
        done += rows.regions.length + rows.spawners.length;
        await loading.flush();
        await run.report("records", done, regions + spawners);
      };
      const walked = await walkAtlas(control, take, run.signal);
      requireGood(walked, codeNames);
      if (walked.manifest.sha256 !== manifest.sha256) {
        throw new SourceFault("SOURCE_CHANGED", "the source changed meanwhile");
      }
      await loading.flush(true);
    },
  };
}

/** A facet is told by its name in any case; limbo is no place of the world. */
function takeRegion(region: AtlasRegion, { sink }: AtlasLoading): void {
  const facet = sink.facets.read(region.facet);
  const { go, entrance, rects } = region;
  requireWhole([region.level, region.priority]);
  for (const part of [go, entrance, ...rects]) requireWhole(Object.values(part ?? {}));
  if (facet === null) sink.skip();
  else sink.region({ ...region, facet });
}

function takeSpawner(spawner: AtlasSpawner, { sink }: AtlasLoading): void {
  const facet = sink.facets.read(spawner.facet);
  const { x, y, z, homeRange, walkRange, count, rect, entries } = spawner;
  requireWhole([x, y, z, homeRange, walkRange, count, ...Object.values(rect ?? {})]);
  requireWhole(entries.map(({ max }) => max));
  if (facet === null) sink.skip();
  else sink.spawner({ ...spawner, facet });
}

/** Schemas let larger numbers through than a world, or a column, has. */
function requireWhole(values: readonly unknown[]): void {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.every((value) => wholeNumber(value) !== undefined)) return;
  throw new SourceFault("MALFORMED", "a record holds a number that is out of range");
}
