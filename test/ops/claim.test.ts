import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { claimFolder } from "../../jobs/commands/own-database/claim.ts";

const claimModule = path.join(import.meta.dirname, "../../jobs/commands/own-database/claim.ts");

async function startHolder(folder: string): Promise<ChildProcess> {
  const program = `await (await import(${JSON.stringify(claimModule)})).claimFolder(${JSON.stringify(folder)});
    process.stdout.write("claimed"); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  return holder;
}

async function kill(holder: ChildProcess): Promise<void> {
  holder.kill("SIGKILL");
  await once(holder, "exit");
}

describe("a data folder", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "guildhall-claim-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is used by one process at a time, and the error of a second process names the first", async () => {
    const release = await claimFolder(folder);
    await expect(claimFolder(folder)).rejects.toThrow(
      `${folder} is in use by process ${process.pid}: ` +
        "end that process, or set DATA_FOLDER to another folder",
    );
    await release();
    await (
      await claimFolder(folder)
    )();
  });

  it("is free again after its process was killed", async () => {
    const holder = await startHolder(folder);
    await expect(claimFolder(folder)).rejects.toThrow(`in use by process ${holder.pid}`);
    await kill(holder);
    await (
      await claimFolder(folder)
    )();
  });

  it.each(["never used", "left by a killed holder"])(
    "is taken by exactly one of several concurrent starts: %s",
    async (before) => {
      if (before !== "never used") await kill(await startHolder(folder));
      const starts = Array.from({ length: 5 }, () => claimFolder(folder));
      const claims = await Promise.allSettled(starts);
      const [release, ...others] = claims.flatMap((claim) =>
        claim.status === "fulfilled" ? [claim.value] : [],
      );
      expect(others).toEqual([]);
      const refusals = claims.flatMap((claim) =>
        claim.status === "rejected" ? [String(claim.reason)] : [],
      );
      const inUse = expect.stringContaining(`${folder} is in use by process ${process.pid}`);
      expect(refusals).toEqual(Array(4).fill(inUse));
      await expect(claimFolder(folder)).rejects.toThrow("is in use by");
      await release?.();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it("is reported as in use if its process is suspended", async () => {
    const holder = await startHolder(folder);
    holder.kill("SIGSTOP");
    await expect(claimFolder(folder)).rejects.toThrow("in use by a process that does not answer");
    await kill(holder);
  });

  it("is rejected with a message if its path is too long for a socket", async () => {
    const deep = path.join(folder, "d".repeat(120));
    await expect(claimFolder(deep)).rejects.toThrow("is too long: set DATA_FOLDER");
  });
});
