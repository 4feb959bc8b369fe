import path from "node:path";

import type { Folder, SourceFile } from "../../../imports/files/folder.ts";
import { isStockFacet } from "../parsers/facets.ts";

/** Maps in the format of Nerun's Distro that form one world. */
export interface SpawnMapSet {
  readonly folder: string;
  readonly files: readonly SourceFile[];
}

/** The folders of maps in the newer and in the older distribution. */
const places = [["Nerun's Distro", "Spawns"], ["Monsters"]] as const;

export const spawnMapFolderPaths: readonly string[] = places.map((names) =>
  ["Data", ...names].join("/"),
);

interface FoundMapSet extends SpawnMapSet {
  readonly files: SourceFile[];
  /** True if the maps are in one folder per facet, as the maps of a whole world are. */
  hasFacets: boolean;
  readonly depth: number;
  /** The index in `places` of the folder with the maps. */
  readonly place: number;
  bytes: number;
}

/**
 * Finds the worlds whose maps are in a server's `Data`, in reading order. The maps of all facet folders form one
 * world, and so do the maps of any other folder. A server uses only one of the worlds, so reading two would list
 * each place twice.
 */
export async function findSpawnMapSets(data: Folder): Promise<SpawnMapSet[]> {
  const sets: FoundMapSet[] = [];
  for (const [at, names] of places.entries()) {
    const place = await data.folder(...names);
    if (place) sets.push(...groupByWorld(place.path, at, await place.files([".map"])));
  }
  return sets.toSorted(byRank).flatMap(withoutSave);
}

function groupByWorld(root: string, place: number, files: readonly SourceFile[]): FoundMapSet[] {
  const sets = new Map<string, FoundMapSet>();
  for (const file of files) {
    const folders = path.posix.dirname(file.path.slice(root.length + 1)).split("/");
    const facetAt = folders.findIndex(isStockFacet);
    const own = facetAt === -1 ? folders : folders.slice(0, facetAt);
    const folder = path.posix.join(root, ...own);
    const depth = folder.split("/").length - root.split("/").length;
    const begun: FoundMapSet = { folder, files: [], hasFacets: false, depth, place, bytes: 0 };
    const set = sets.get(folder) ?? begun;
    set.files.push(file);
    set.bytes += file.size;
    set.hasFacets ||= facetAt !== -1;
    sets.set(folder, set);
  }
  return [...sets.values()];
}

/** The order of worlds: first those in facet folders, then the less deeply nested, then the larger. */
function byRank(one: FoundMapSet, other: FoundMapSet): number {
  const byFacets = Number(other.hasFacets) - Number(one.hasFacets);
  const byNearness = one.hasFacets ? one.depth - other.depth || one.place - other.place : 0;
  return byFacets || byNearness || other.bytes - one.bytes;
}

/**
 * Returns true for the file into which the server saves all its spawners, because it repeats the spawners of the
 * other maps.
 */
const isSave = ({ path: file }: SourceFile): boolean =>
  /^spawns(?:bycoords)?\.map$/i.test(path.posix.basename(file));

function withoutSave({ folder, files }: FoundMapSet): SpawnMapSet[] {
  const maps = files.filter((file) => !isSave(file));
  if (maps.length === 0 || maps.length === files.length) return [{ folder, files }];
  const saves = files.filter(isSave);
  return [{ folder, files: maps }, ...saves.map((file) => ({ folder: file.path, files: [file] }))];
}
