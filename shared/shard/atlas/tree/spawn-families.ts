import type { Folder, SourceFile } from "../../../imports/files/folder.ts";
import { findSpawnMapSets } from "./map-sets.ts";
import { readStartOfFile } from "./start-of-file.ts";
import type { TreeKind } from "./tree.ts";

/** Spawn files that form one world in one format, and their folders. */
export interface SpawnFamily {
  readonly kind: TreeKind;
  readonly folders: readonly string[];
  readonly files: readonly SourceFile[];
  /** Files in the same folders that are empty or have another format. */
  readonly unknown: readonly SourceFile[];
}

/**
 * Finds the families of spawn files next to a `Regions.xml`. The first is the one that the game server reads.
 * Without spawn files, it returns one family that lists only the unknown files.
 */
export async function findSpawnFamilies(
  server: Folder,
  data: Folder,
): Promise<readonly [SpawnFamily, ...SpawnFamily[]]> {
  const places = [await server.folder("Spawns"), await server.folder("RevampedSpawns")];
  const files = distinct((await Promise.all(places.map(xmlIn))).flat());
  const inServer = await sortByRoot(files);
  const inData = await sortByRoot(await xmlIn(await data.folder("Spawns")));
  const unknown = [...inServer.unknown, ...inServer.xrunuo];
  const maps = await findSpawnMapSets(data);
  const families: SpawnFamily[] = [
    { kind: "servuo", folders: foldersOf(inServer.servuo), files: inServer.servuo, unknown },
    {
      kind: "xrunuo",
      folders: foldersOf(inData.xrunuo),
      files: inData.xrunuo,
      unknown: inData.unknown,
    },
    {
      kind: "xrunuo",
      folders: foldersOf(inServer.xrunuo),
      files: inServer.xrunuo,
      unknown: inServer.unknown,
    },
    ...maps.map(({ folder, files: own }) => {
      return { kind: "runuo", folders: [folder], files: own, unknown } as const;
    }),
  ];
  const [first, ...rest] = families.filter((family) => family.files.length > 0);
  const none = { kind: "runuo", folders: [], files: [] } as const;
  return first ? [first, ...rest] : [{ ...none, unknown: [...unknown, ...inData.unknown] }];
}

const xmlIn = async (folder: Folder | undefined): Promise<SourceFile[]> =>
  (await folder?.files([".xml"])) ?? [];

/** Removes files that are listed twice, because one folder may be a symbolic link to another. */
function distinct(files: readonly SourceFile[]): SourceFile[] {
  const firstAt = new Map(files.toReversed().map((file) => [file.absolute, file]));
  return files.filter((file) => file === firstAt.get(file.absolute));
}

interface FilesByRoot {
  readonly servuo: SourceFile[];
  readonly xrunuo: SourceFile[];
  readonly unknown: SourceFile[];
}

/** Sorts files by their root element, because other programs also store XML files in folders named `Spawns`. */
async function sortByRoot(files: readonly SourceFile[]): Promise<FilesByRoot> {
  const sorted: FilesByRoot = { servuo: [], xrunuo: [], unknown: [] };
  for (const file of files) {
    const start = await readStartOfFile(file);
    if (/<Spawns[\s/>]/.test(start)) sorted.servuo.push(file);
    else if (/<Spawners[\s/>]/.test(start)) sorted.xrunuo.push(file);
    else sorted.unknown.push(file);
  }
  return sorted;
}

/** Returns the outermost folders of the files, relative to the server's folder, such as `Data/Spawns`. */
const foldersOf = (files: readonly SourceFile[]): string[] => [
  ...new Set(files.map(({ path }) => /^.*?Spawns(?=\/)/i.exec(path)?.[0] ?? path)),
];
