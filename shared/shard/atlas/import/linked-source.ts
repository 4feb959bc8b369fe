import { SourceFault } from "../../../imports/results/source-fault.ts";
import { type AtlasRows, getAtlasManifest, walkAtlas } from "../../calls/atlas-calls.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import { type CodeNames, openLink, readManifest, requireGood } from "../../calls/link-source.ts";
import type { ShardContext } from "../../context.ts";
import { wholeNumber } from "../parsers/fields.ts";
import type { AtlasSink } from "../parsers/sink.ts";
import { BatchCollector } from "./batch.ts";
import type { AtlasSource } from "./source.ts";

/** The contract of the atlas prints fewer codes than a walk has. */
const codeNames: CodeNames = {
  STUCK: "INCOMPLETE",
  PROTOCOL: "SHARD_DOWN",
  NO_SOURCE: "DISABLED",
  NO_IMAGING: "DISABLED",
  UNSUPPORTED: "DISABLED",
  UNAVAILABLE: "SHARD_DOWN",
};

/** The atlas of the linked shard. @throws {SourceFault} when the shard cannot give it now */
export async function openLinkedAtlas(
  context: ShardContext,
  signal?: AbortSignal,
): Promise<AtlasSource> {
  const control = await openLink(context);
  const manifest = await readManifest(
    () => control.read(getAtlasManifest, { signal }),
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
      requireGood(walked, codeNames);
      if (walked.manifest.sha256 === manifest.sha256) return;
      throw new SourceFault("SOURCE_CHANGED", "the source changed meanwhile");
    },
  };
}

function addPage({ regions, spawners }: AtlasRows, sink: AtlasSink): void {
  for (const region of regions) addRegion(region, sink);
  for (const spawner of spawners) addSpawner(spawner, sink);
}

/** Facets are named in any case. Limbo, where logged-out characters are kept, is left out. */
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

/** The schemas allow larger numbers than a world has or a column holds. */
function requireWhole(values: readonly unknown[]): void {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.every((value) => wholeNumber(value) !== undefined)) return;
  throw new SourceFault("MALFORMED", "a record holds a number that is out of range");
}
