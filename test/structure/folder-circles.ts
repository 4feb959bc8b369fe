import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** Every folder and the folders whose files it imports, types included. */
export type FolderImports = ReadonlyMap<string, ReadonlySet<string>>;

const rooms = ["api", "jobs", "shared", "models", "migrations", "plugins"];

const importPattern = /^(?:import|export)[^;]*?from "(\.[^"]+)";|import\("(\.[^"]+)"\)/gms;

/** Folders whose own files have no topic in common. */
const loose = [...rooms, "shared/platform"];

/** Returns a file's folder. Files directly in a room or in the platform count as units of their own. */
const unitOf = (file: string): string =>
  loose.includes(path.dirname(file)) ? file : path.dirname(file);

/** Reads the imports of every source file below the root. */
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
 * Groups of folders that import each other in a circle (Tarjan's strongly connected components).
 * Within such a group no folder can be understood, tested or moved without the others.
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
