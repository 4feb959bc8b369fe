import { fingerprintOf, startCounting } from "../../../imports/files/read-file.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import { readImportPath } from "../../../imports/sources/paths.ts";
import type { ShardContext } from "../../context.ts";
import { findTree, type TreeView } from "../tree/tree.ts";
import { openLinkedAtlas } from "./linked-source.ts";
import { filesOf, readTree, requireSameFiles, stampTree } from "./read-tree.ts";
import type { AtlasPlace, AtlasSource } from "./source.ts";

/** A local tree when a path is set, else the linked shard. */
export async function placeOfAtlas(context: ShardContext): Promise<AtlasPlace> {
  const path = await readImportPath("atlas", context);
  return path === null ? { source: "bridge", path } : { source: "fs", path };
}

/** @throws {SourceFault} when the source cannot be read */
export const openAtlas = (
  { path }: AtlasPlace,
  context: ShardContext,
  run?: Pick<ImportRun, "report" | "signal">,
): Promise<AtlasSource> =>
  path === null ? openLinkedAtlas(context, run?.signal) : openLocalAtlas(path, run);

async function openLocalAtlas(path: string, run?: Pick<ImportRun, "report">): Promise<AtlasSource> {
  const tree = await findTree(path);
  const count = run && (await startCounting("source", filesOf(tree), run));
  const files = await stampTree(tree, count);
  return {
    source: "fs",
    path,
    fingerprint: fingerprintOf(files),
    files,
    tree: viewOf(tree),
    read: async (reading, take) => {
      await readTree(tree, files, reading, take);
      requireSameFiles(tree, await findTree(path));
    },
  };
}

const viewOf = ({ kind, era, folders, leftOut }: TreeView): TreeView => {
  return { kind, era, folders, leftOut };
};
