import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { writeFileOnce } from "../../shared/platform/process/write-once.ts";

const writeModule = path.join(import.meta.dirname, "../../shared/platform/process/write-once.ts");

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "guildhall-once-"));
  file = path.join(folder, "secret");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a file that is written once", () => {
  it("is readable only by its owner and keeps its first content", () => {
    writeFileOnce(file, () => "first");
    writeFileOnce(file, () => "second");
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["first", 0o600]);
    expect(readdirSync(folder)).toEqual(["secret"]);
  });

  it("is not created if it cannot be written completely", () => {
    const program = `const { writeFileOnce } = await import(${JSON.stringify(writeModule)});
      writeFileOnce(${JSON.stringify(file)}, () => "too much");`;
    // Limit the size of files to zero, so that a write fails as on a full disk.
    const noRoom = 'trap "" XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"';
    const { stderr } = spawnSync("sh", ["-c", noRoom, process.execPath, program]);
    expect(String(stderr)).toContain("EFBIG");
    expect(readdirSync(folder)).toEqual([]);
  });
});
