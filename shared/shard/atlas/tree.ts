import { Folder, type SourceFile } from "../../imports/folder.ts";
import { SourceFault } from "../../imports/source-fault.ts";
import { startOf } from "./start-of-file.ts";

export type TreeKind = "servuo" | "modernuo" | "runuo";

/** A game server's tree: which files of it make the atlas. */
export interface AtlasTree {
  readonly kind: TreeKind;
  /** ModernUO: which of its alternatives is read. */
  readonly era: string | null;
  readonly regions: SourceFile;
  readonly spawns: readonly SourceFile[];
  /** Spawn files that are of another family, or empty. */
  readonly skipped: number;
}

/**
 * Finds the tree at a path: there, in its `Distribution`, or in the one folder below that is one.
 * What a tree is, its files' content says; names alone do not.
 * @throws {SourceFault} NOT_FOUND, NO_REGIONS, NO_SPAWNS
 */
export async function findTree(path: string): Promise<AtlasTree> {
  const root = await Folder.open(path);
  const found = await detect(root);
  if (found) return orNoSpawns(found);
  const below = await root.folders();
  const trees = (await Promise.all(below.map(detect))).filter((tree) => tree !== undefined);
  if (trees.length > 1) {
    throw new SourceFault("NO_REGIONS", `${path}: more than one tree lies below it`);
  }
  if (!trees[0]) {
    throw new SourceFault(
      "NO_REGIONS",
      `${path}: no Data/Regions.xml or Data/regions.json of a server`,
    );
  }
  return orNoSpawns(trees[0]);
}

function orNoSpawns(tree: AtlasTree): AtlasTree {
  if (tree.spawns.length > 0) return tree;
  throw new SourceFault("NO_SPAWNS", `${tree.regions.path}: there are no spawn files beside it`);
}

async function detect(folder: Folder): Promise<AtlasTree | undefined> {
  const distribution = await folder.folder("Distribution");
  return (
    (await detectModernuo(folder)) ??
    (distribution && (await detectModernuo(distribution))) ??
    (await detectByXml(folder))
  );
}

/** ModernUO's older trees keep a Regions.xml beside: the JSON is what its server reads. */
async function detectModernuo(folder: Folder): Promise<AtlasTree | undefined> {
  const data = await folder.folder("Data");
  const regions = await data?.file("regions.json");
  if (!data || !regions || !/^\s*(?:\/[/*]|\[)/.test(await startOf(regions))) return undefined;
  const spawns = await data.folder("Spawns");
  const { era, files } = await chooseEra(spawns);
  return { kind: "modernuo", era, regions, spawns: files, skipped: 0 };
}

const eras = ["post-uoml", "uoml"] as const;

/** `shared` and one era belong together; reading both eras would double the world. */
async function chooseEra(
  spawns: Folder | undefined,
): Promise<{ era: string | null; files: SourceFile[] }> {
  const all = (await spawns?.files([".json"])) ?? [];
  const under = (name: string): SourceFile[] =>
    all.filter(({ path }) => path.slice(spawns?.path.length).toLowerCase().startsWith(`/${name}/`));
  const era = eras.find((name) => under(name).length > 0) ?? null;
  if (era === null) return { era, files: all };
  const others = eras.filter((name) => name !== era).flatMap(under);
  return { era, files: all.filter((file) => !others.includes(file)) };
}

async function detectByXml(folder: Folder): Promise<AtlasTree | undefined> {
  const data = await folder.folder("Data");
  const regions = await data?.file("Regions.xml");
  if (!data || !regions || !/<ServerRegions[\s/>]/.test(await startOf(regions))) return undefined;
  const { files, skipped } = await servuoSpawns(folder);
  if (files.length > 0) return { kind: "servuo", era: null, regions, spawns: files, skipped };
  return { kind: "runuo", era: null, regions, spawns: await nerunSpawns(data), skipped };
}

/** Other programs keep XML of their own in folders of these names. */
async function servuoSpawns(folder: Folder): Promise<{ files: SourceFile[]; skipped: number }> {
  const folders = [await folder.folder("Spawns"), await folder.folder("RevampedSpawns")];
  const all = await filesIn(folders, ".xml");
  const files: SourceFile[] = [];
  for (const file of all) {
    if (/<Spawns[\s/>]/.test(await startOf(file))) files.push(file);
  }
  return { files, skipped: all.length - files.length };
}

/** The folder `uoml` repeats the maps of those beside it. */
async function nerunSpawns(data: Folder): Promise<SourceFile[]> {
  const folders = [await data.folder("Nerun's Distro", "Spawns"), await data.folder("Monsters")];
  const all = await filesIn(folders, ".map");
  const plain = all.filter(({ path }) => !/\/uoml\//i.test(path));
  return plain.length > 0 ? plain : all;
}

const filesIn = async (
  folders: readonly (Folder | undefined)[],
  ending: string,
): Promise<SourceFile[]> => {
  const present = folders.filter((folder) => folder !== undefined);
  const all = (await Promise.all(present.map((folder) => folder.files([ending])))).flat();
  // One folder may be a link to the other.
  const firstAt = new Map(all.toReversed().map((file) => [file.absolute, file]));
  return all.filter((file) => file === firstAt.get(file.absolute));
};
