import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";

/** What another release has in place of what this one has, by file. */
export type Edits = Readonly<Record<string, readonly (readonly [now: string, then: string])[]>>;

/** This program as another release of it has it. */
export interface Release {
  readonly folder: string;
  remove(): void;
}

const parts = ["api", "jobs", "migrations", "models", "shared", "package.json"];

/**
 * Makes another release beside this one: the same sources but for a few edits.
 * @param added whole files, by path
 * @throws when a text to be replaced is not there: the release would not differ where it should
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
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
