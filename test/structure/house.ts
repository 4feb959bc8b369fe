import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** A source file, its number of lines and its number of comment lines. */
interface CodeFile {
  readonly file: string;
  readonly lines: number;
  readonly commentLines: number;
}

function readCode(root: string, folder: string): CodeFile[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).map((file) => {
    const lines = readFileSync(path.join(root, file), "utf8").trimEnd().split("\n");
    const commentLines = lines.filter((line) => /^\s*(?:\/\/|\/\*\*|\*)/.test(line)).length;
    return { file, lines: lines.length, commentLines };
  });
}

/** Figures about the size of the folders `shared/` and `models/`. */
export interface HouseFigures {
  readonly sharedFiles: number;
  /** Names of files that lie directly in `shared/`. */
  readonly sharedLoose: readonly string[];
  readonly modelsLoose: readonly string[];
  /** Folders of `shared/` with one or two files and no subfolder. */
  readonly tinyFolders: readonly string[];
  /** Folders of `shared/` and `jobs/` with more than 25 files. */
  readonly crowdedFolders: readonly string[];
  /** Files of `shared/` with more than 300 lines. */
  readonly longFiles: readonly string[];
  /** The share of comment lines among the lines of `shared/`. */
  readonly commentShare: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export function readHouseFigures(root: string): HouseFigures {
  const shared = readCode(root, "shared");
  const byFolder = Map.groupBy(
    [...shared, ...readCode(root, "jobs")].map(({ file }) => file),
    (file) => path.dirname(file),
  );
  const folders = [...byFolder.keys()];
  const hasFolders = (folder: string) => folders.some((other) => other.startsWith(`${folder}/`));
  const looseIn = (room: string) =>
    globSync(`${room}/*.ts`, { cwd: root }).toSorted((one, other) => one.localeCompare(other));
  return {
    sharedFiles: shared.length,
    sharedLoose: looseIn("shared"),
    modelsLoose: looseIn("models"),
    tinyFolders: folders.filter(
      (folder) =>
        folder.startsWith("shared/") &&
        (byFolder.get(folder)?.length ?? 0) <= 2 &&
        !hasFolders(folder),
    ),
    crowdedFolders: folders.filter((folder) => (byFolder.get(folder)?.length ?? 0) > 25),
    longFiles: shared.filter(({ lines }) => lines > 300).map(({ file }) => file),
    commentShare:
      sum(shared.map(({ commentLines }) => commentLines)) / sum(shared.map(({ lines }) => lines)),
  };
}
