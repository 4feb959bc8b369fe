import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";

import { claimFolder } from "../../shared/local/claim.ts";

const claimModule = path.join(import.meta.dirname, "../../shared/local/claim.ts");

describe("a data folder", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "guildhall-claim-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("belongs to one at a time, and the next is told to whom", async () => {
    const release = await claimFolder(folder);
    await expect(claimFolder(folder)).rejects.toThrow(
      `${folder} is in use by process ${process.pid}: ` +
        "end that one, or set DATA_FOLDER to another folder",
    );
    await release();
    await (
      await claimFolder(folder)
    )();
  });

  it("is free again when its holder was killed without a word", async () => {
    const program = `await (await import(${JSON.stringify(claimModule)})).claimFolder(${JSON.stringify(folder)});
      process.stdout.write("claimed"); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    await expect(claimFolder(folder)).rejects.toThrow(`in use by process ${holder.pid}`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await (
      await claimFolder(folder)
    )();
  });

  it("is refused in words when its path is too long for a socket", async () => {
    const deep = path.join(folder, "d".repeat(120));
    await expect(claimFolder(deep)).rejects.toThrow("is too long a path: set DATA_FOLDER");
  });
});
