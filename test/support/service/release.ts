import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";

/** Pairs of texts by file. In the other release, the second text of a pair replaces the first one. */
export type Edits = Readonly<Record<string, readonly (readonly [now: string, then: string])[]>>;

/** Another release of the service. Its sources are in a folder of their own. */
export interface Release {
  readonly folder: string;
  /** The files that differ from the sources of the present release. */
  readonly edited: readonly string[];
  remove(): void;
}

const parts = ["api", "jobs", "migrations", "models", "shared", "package.json"];

/**
 * Makes another release: copies the sources and edits them.
 * @param added contents of new files, by path
 * @throws if a text to replace is missing, because then the releases would be equal
 */
export function makeRelease(edits: Edits, added: Readonly<Record<string, string>>): Release {
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-release-"));
  for (const part of parts) {
    cpSync(path.join(projectFolder, part), path.join(folder, part), { recursive: true });
  }
  symlinkSync(path.join(projectFolder, "node_modules"), path.join(folder, "node_modules"));
  for (const [file, replacements] of Object.entries(edits)) {
    const place = path.join(folder, file);
    let text = readFileSync(place, "utf8");
    for (const [now, then] of replacements) {
      if (!text.includes(now)) throw new Error(`${file} holds no ${now}`);
      text = text.replace(now, () => then);
    }
    writeFileSync(place, text);
  }
  for (const [file, text] of Object.entries(added)) writeFileSync(path.join(folder, file), text);
  const edited = [...Object.keys(edits), ...Object.keys(added)].map((file) =>
    path.join(folder, file),
  );
  return { folder, edited, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
