import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** For each folder, the folders from which its files import. Imports of types are included. */
export type FolderImports = ReadonlyMap<string, ReadonlySet<string>>;

const rooms = ["api", "jobs", "shared", "models", "migrations", "plugins"];

const importPattern = /^(?:import|export)[^;]*?from "(\.[^"]+)";|import\("(\.[^"]+)"\)/gms;

/** Folders whose own files belong to different topics. */
const loose = [...rooms, "shared/platform"];

/** Returns the folder of a file, or the file itself if it lies directly in a folder of `loose`. */
const unitOf = (file: string): string =>
  loose.includes(path.dirname(file)) ? file : path.dirname(file);

/** Reads the imports of all source files below the root, as imports between their folders. */
export function readFolderImports(root: string): FolderImports {
  const folders = new Map<string, Set<string>>();
  for (const file of rooms.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: root }))) {
    const folder = unitOf(file);
    const imported = folders.get(folder) ?? new Set<string>();
    folders.set(folder, imported);
    for (const [, from, lazily] of readFileSync(path.join(root, file), "utf8").matchAll(
      importPattern,
    )) {
      const target = unitOf(path.join(path.dirname(file), from ?? lazily ?? ""));
      if (target !== folder) imported.add(target);
    }
  }
  return folders;
}

/**
 * Returns the groups of folders that import each other in a circle (Tarjan's strongly connected
 * components). No folder of such a group can be understood, tested or moved without the others.
 */
export function findCircles(folders: FolderImports): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (folder: string): number => {
    order.set(folder, order.size);
    lowest.set(folder, order.get(folder) ?? 0);
    stack.push(folder);
    for (const next of folders.get(folder) ?? []) {
      if (!order.has(next)) lowest.set(folder, Math.min(lowest.get(folder) ?? 0, visit(next)));
      else if (stack.includes(next)) {
        lowest.set(folder, Math.min(lowest.get(folder) ?? 0, order.get(next) ?? 0));
      }
    }
    const low = lowest.get(folder) ?? 0;
    if (low === order.get(folder)) {
      const circle = stack.splice(stack.indexOf(folder));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return low;
  };
  for (const folder of folders.keys()) if (!order.has(folder)) visit(folder);
  return circles;
}
