import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** A source file with its numbers of lines, comment lines and SQL texts. */
interface CodeFile {
  readonly file: string;
  readonly lines: number;
  readonly commentLines: number;
  /** The number of strings and templates that contain an SQL statement. */
  readonly sqlTexts: number;
}

/** Matches the start of an SQL statement at the start of a text or line, or after a bracket. */
const statementPattern =
  /[`"'(\n]\s*(?:select\s|insert into\s|update\s+\w+\s+(?:\w+\s+)?set|delete from\s|with\s+\w+\s*(?:\([^)]*\)\s*)?as\s)/;

function countSqlTexts(source: string): number {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const texts = code.match(/`[^`]*`|"[^"\n]*"/g) ?? [];
  return texts.filter((text) => statementPattern.test(text)).length;
}

function readCode(root: string, folder: string): CodeFile[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).map((file) => {
    const source = readFileSync(path.join(root, file), "utf8");
    const lines = source.trimEnd().split("\n");
    const commentLines = lines.filter((line) => /^\s*(?:\/\/|\/\*\*|\*)/.test(line)).length;
    return { file, lines: lines.length, commentLines, sqlTexts: countSqlTexts(source) };
  });
}

/** Figures about the size and the content of the folders of the service. */
export interface CodeMetrics {
  readonly sharedFiles: number;
  readonly sharedLines: number;
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
  /** Files of `shared/`, `api/` and `jobs/` other than `.sql.ts` with more than three SQL texts. */
  readonly sqlHeavyFiles: readonly string[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export function readCodeMetrics(root: string): CodeMetrics {
  const shared = readCode(root, "shared");
  const jobs = readCode(root, "jobs");
  const byFolder = Map.groupBy(
    [...shared, ...jobs].map(({ file }) => file),
    (file) => path.dirname(file),
  );
  const folders = [...byFolder.keys()];
  const hasFolders = (folder: string) => folders.some((other) => other.startsWith(`${folder}/`));
  const looseIn = (room: string) =>
    globSync(`${room}/*.ts`, { cwd: root }).toSorted((one, other) => one.localeCompare(other));
  return {
    sharedFiles: shared.length,
    sharedLines: sum(shared.map(({ lines }) => lines)),
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
    sqlHeavyFiles: [...shared, ...readCode(root, "api"), ...jobs]
      .filter(({ file, sqlTexts }) => sqlTexts > 3 && !file.endsWith(".sql.ts"))
      .map(({ file }) => file),
  };
}
