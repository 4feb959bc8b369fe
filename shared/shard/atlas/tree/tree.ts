import pLimit from "p-limit";

import { Folder, type SourceFile } from "../../../imports/files/folder.ts";
import { SourceFault } from "../../../imports/results/source-fault.ts";
import { spawnMapFolderPaths } from "./map-sets.ts";
import { findSpawnFamilies } from "./spawn-families.ts";
import { readStartOfFile } from "./start-of-file.ts";

/** CATALOGUE of the supported families of game servers. */
export const treeKinds = ["servuo", "modernuo", "runuo", "xrunuo"] as const;
export type TreeKind = (typeof treeKinds)[number];

/** Spawn files that are not read because they hold another version of the same world. */
export interface SkippedSpawns {
  readonly path: string;
  readonly files: number;
}

/** The folders and files of a tree that are read, as administrators see them. */
export interface AtlasTreeView {
  readonly kind: TreeKind;
  /** The era that is read; only ModernUO has eras. */
  readonly era: string | null;
  readonly folders: readonly string[];
  readonly leftOut: readonly SkippedSpawns[];
}

/** The files of a game server's tree that form the atlas. */
export interface AtlasTree extends AtlasTreeView {
  readonly regions: SourceFile;
  readonly spawns: readonly SourceFile[];
  /** Files among the spawn files that are empty or have another format. */
  readonly unknown: readonly SourceFile[];
}

/**
 * Finds the tree at a path: in the folder itself, in its `Distribution`, or in the only subfolder that contains
 * a tree. It recognizes files by their content, not by their names.
 * @throws {SourceFault} NOT_FOUND, NO_REGIONS, NO_SPAWNS
 */
export async function findTree(path: string): Promise<AtlasTree> {
  const root = await Folder.open(path);
  const found = await detect(root);
  if (found) return requireSpawns(found);
  const below = await root.folders();
  const detected = await pLimit(foldersAtOnce).map(below, detect);
  const trees = detected.filter((tree) => tree !== undefined);
  if (trees.length > 1) {
    throw new SourceFault("NO_REGIONS", `${path}: it contains more than one server tree`);
  }
  if (!trees[0]) {
    throw new SourceFault(
      "NO_REGIONS",
      `${path}: it contains no Data/Regions.xml or Data/regions.json of a server`,
    );
  }
  return requireSpawns(trees[0]);
}

const foldersAtOnce = 4;

function requireSpawns(tree: AtlasTree): AtlasTree {
  if (tree.spawns.length > 0) return tree;
  const looked = tree.kind === "modernuo" ? "Data/Spawns (JSON)" : xmlPlaces;
  const { length } = tree.unknown;
  const others =
    length === 0 ? "" : `; files of another format than <Spawns> and <Spawners>: ${length}`;
  throw new SourceFault(
    "NO_SPAWNS",
    `${tree.regions.path}: the server tree has no spawn files in ${looked}${others}`,
  );
}

const xmlPlaces = `Spawns, RevampedSpawns or Data/Spawns (XML), ${spawnMapFolderPaths.join(" or ")} (maps)`;

async function detect(folder: Folder): Promise<AtlasTree | undefined> {
  const distribution = await folder.folder("Distribution");
  return (
    (await detectModernuo(folder)) ??
    (distribution && (await detectModernuo(distribution))) ??
    (await detectByXml(folder))
  );
}

/** ModernUO's older trees also have a Regions.xml, but its server reads the JSON. */
async function detectModernuo(folder: Folder): Promise<AtlasTree | undefined> {
  const data = await folder.folder("Data");
  const regions = await data?.file("regions.json");
  if (!data || !regions || !/^\s*(?:\/[/*]|\[)/.test(await readStartOfFile(regions))) {
    return undefined;
  }
  const spawns = await data.folder("Spawns");
  const chosen = await chooseEra(spawns);
  const folders = spawns ? [spawns.path] : [];
  return { kind: "modernuo", folders, regions, unknown: [], ...chosen };
}

const eras = ["post-uoml", "uoml"] as const;

/** A world is the folder `shared` and one era; reading a second era would list each place twice. */
async function chooseEra(
  folder: Folder | undefined,
): Promise<Pick<AtlasTree, "era" | "spawns" | "leftOut">> {
  const all = (await folder?.files([".json"])) ?? [];
  const under = (name: string): SourceFile[] =>
    all.filter(({ path }) => path.slice(folder?.path.length).toLowerCase().startsWith(`/${name}/`));
  const era = eras.find((name) => under(name).length > 0) ?? null;
  const others = eras
    .filter((name) => name !== era)
    .map((name) => ({ path: `${folder?.path}/${name}`, files: under(name) }))
    .filter(({ files }) => files.length > 0);
  const leftOut = others.map(({ path, files }) => ({ path, files: files.length }));
  const unread = new Set(others.flatMap(({ files }) => files));
  return { era, spawns: all.filter((file) => !unread.has(file)), leftOut };
}

/** Reads the spawn files of one kind only, because those of the other kinds list the same places again. */
async function detectByXml(folder: Folder): Promise<AtlasTree | undefined> {
  const data = await folder.folder("Data");
  const regions = await data?.file("Regions.xml");
  if (!data || !regions || !/<ServerRegions[\s/>]/.test(await readStartOfFile(regions))) {
    return undefined;
  }
  const [read, ...others] = await findSpawnFamilies(folder, data);
  const { kind, folders, files, unknown } = read;
  const leftOut = others
    .filter((other) => !other.folders.some((one) => folders.includes(one)))
    .map((other) => ({ path: other.folders.join(", "), files: other.files.length }));
  return { kind, era: null, folders, leftOut, regions, spawns: files, unknown };
}
