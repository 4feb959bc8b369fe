import {
  type AtlasCounts,
  type AtlasResult,
  nothingPendingResult,
} from "../../../imports/results/atlas.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import { storeImportedData } from "../../../imports/sources/imported-source.ts";
import { BridgeError } from "../../../platform/bridge/bridge-error.ts";
import type { Context } from "../../../platform/context.ts";
import { analyzeTables } from "../../../platform/db/rows.ts";
import {
  fetchCreatureBodies,
  type CreatureBodyAnswer,
  maxBodyTypes,
} from "../../calls/body-calls.ts";
import type { ShardContext } from "../../context.ts";
import type { AtlasSource } from "./source.ts";
import { deleteOtherGenerations } from "./stage.sql.ts";
import type { AtlasStage } from "./stage.ts";
import type { LoadedAtlas } from "./state.ts";

export interface StagedAtlas {
  readonly source: AtlasSource;
  readonly stage: AtlasStage;
  readonly counts: AtlasCounts;
  readonly result: AtlasResult;
}

/** Gives the staged creatures the bodies that are stored, then the bodies that the shard answers. */
export async function assignCreatureBodies(
  stage: AtlasStage,
  run: ImportRun,
  context: ShardContext,
): Promise<void> {
  const types = stage.tally.creatures.types().map(({ typeKey }) => typeKey);
  await stage.addCreatures(await findBodies(types, run, context));
}

/** Asks the shard for bodies (graphic ids) of creatures. If it is unreachable, stored bodies are used. */
async function findBodies(
  types: readonly string[],
  { report, signal }: Pick<ImportRun, "report" | "signal">,
  { shard }: ShardContext,
): Promise<CreatureBodyAnswer[]> {
  const answers: CreatureBodyAnswer[] = [];
  try {
    for (let at = 0; at < types.length; at += maxBodyTypes) {
      await report("bodies", at, types.length);
      const slice = types.slice(at, at + maxBodyTypes);
      answers.push(
        ...(await shard.call((control) => fetchCreatureBodies(control, slice, { signal }))),
      );
    }
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
  }
  return answers;
}

/** Shows the staged atlas. @returns `nothingPending` if the approved refresh was rejected meanwhile */
export function publishAtlas(
  { source, stage, counts, result }: StagedAtlas,
  run: ImportRun,
  { models }: Context,
): Promise<AtlasResult> {
  const { generation } = stage;
  const { AtlasState, AtlasFacet } = models;
  const facets = Object.entries(counts.perFacet).map(([name, facet]) => ({ name, ...facet }));
  return run.apply(async (transaction) => {
    await stage.requireWhole(transaction);
    if (!run.flags.approve) await AtlasState.show(generation, transaction);
    else if (!(await AtlasState.showPending(generation, transaction))) {
      return nothingPendingResult;
    }
    const rows = facets.map((facet) => ({ ...facet, generation }));
    await AtlasFacet.bulkCreate(rows, { transaction });
    const { fingerprint } = source;
    await storeImportedData(
      "atlas",
      { fingerprint, loaded: loadedOf(source, counts) },
      transaction,
    );
    await deleteOtherGenerations(generation, transaction);
    await analyzeTables(joinedColumns, transaction);
    return result;
  });
}

function loadedOf({ source, path, files, tree }: AtlasSource, counts: AtlasCounts): LoadedAtlas {
  const { kind = null, era = null } = tree ?? {};
  return { source, path, counts, sources: files, kind, era };
}

/** Columns that joins and filters use, which are analyzed at once. Autovacuum analyzes the others. */
const joinedColumns = [
  "atlas_facets (generation, name)",
  "atlas_regions (generation, id, facet, name)",
  "atlas_rects (generation, region_id)",
  "atlas_spawners (generation, id, facet, region, x, y)",
  "atlas_entries (generation, spawner_id, type_key)",
  "atlas_creatures (generation, type_key)",
];
