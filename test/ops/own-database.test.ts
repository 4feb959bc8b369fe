import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Client } from "pg";
import { afterAll, describe, expect, it } from "vitest";

import {
  findOwnDatabase,
  startOwnDatabase,
  withOwnDatabase,
} from "../../jobs/commands/own-database/database.ts";
import { findPostmaster } from "../../jobs/commands/own-database/postmaster.ts";
import { runProgram } from "./shell-program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-own-"));
const cluster = path.join(folder, "db");
const lockFile = path.join(cluster, "postmaster.pid");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe("the machine's own database", () => {
  it("is created on first use and kept for the next use", async () => {
    await withOwnDatabase(folder, async (url) => {
      await ask(url, "create table kept as select 1 as number");
    });
    expect(findOwnDatabase(folder)).toBeUndefined();
    await withOwnDatabase(folder, async (url) => {
      expect(await ask(url, "select number from kept")).toEqual([{ number: 1 }]);
    });
  });

  it("rejects every connection without the password, whose file only its owner can read", async () => {
    await withOwnDatabase(folder, async (url) => {
      for (const password of ["", "wrong"]) {
        const other = Object.assign(new URL(url), { password });
        await expect(ask(other.href, "select 1")).rejects.toThrow(/password/);
      }
    });
    expect(statSync(path.join(folder, "database-password")).mode & 0o777).toBe(0o600);
  });

  it("is shared if it already runs", async () => {
    await withOwnDatabase(folder, async (outer) => {
      await withOwnDatabase(folder, async (inner) => expect(inner).toBe(outer));
      expect(await ask(outer, "select 1 as still")).toEqual([{ still: 1 }]);
    });
  });

  it("starts even if a killed run left a process id that another program now has", async () => {
    const left = [String(process.pid), cluster, "1", "5432", "", "127.0.0.1", "", "ready   "];
    writeFileSync(lockFile, `${left.join("\n")}\n`);
    expect(findPostmaster(cluster)).toBeUndefined();
    await withOwnDatabase(folder, async (url) => {
      expect(await ask(url, "select 1 as runs")).toEqual([{ runs: 1 }]);
    });
  });

  it("ends the server of a killed run before it starts its own", async () => {
    const left = await startOwnDatabase({ folder });
    const leftPid = Number(readFileSync(lockFile, "utf8").split("\n")[0]);
    const own = await startOwnDatabase({ folder });
    expect(await left.ended).toBe("code 0");
    expect(findPostmaster(cluster)?.pid).not.toBe(leftPid);
    expect(await ask(own.url, "select 1 as runs")).toEqual([{ runs: 1 }]);
    await own.stop();
    expect(existsSync(lockFile)).toBe(false);
  });

  it("is created again if a run was killed while creating it", async () => {
    const torn = mkdtempSync(path.join(tmpdir(), "guildhall-torn-"));
    const draft = path.join(torn, "db.new");
    try {
      await withOwnDatabase(torn, async () => undefined);
      rmSync(path.join(torn, "db"), { recursive: true });
      // A killed initdb leaves PG_VERSION, because it writes this file first. So the file in
      // `db.new` does not prove a complete cluster.
      mkdirSync(draft);
      writeFileSync(path.join(draft, "PG_VERSION"), "18\n");
      await withOwnDatabase(torn, async (url) => {
        expect(await ask(url, "select 1 as runs")).toEqual([{ runs: 1 }]);
      });
      expect(existsSync(draft)).toBe(false);
    } finally {
      rmSync(torn, { recursive: true, force: true });
    }
  });

  describe("the machine's own database with an empty password file", () => {
    const file = path.join(folder, "database-password");
    const refusal = `${file} is empty: bring back its contents, or delete it so that it is created again`;

    it("is not started", async () => {
      const password = readFileSync(file, "utf8");
      writeFileSync(file, "");
      await expect(withOwnDatabase(folder, async () => undefined)).rejects.toThrow(refusal);
      writeFileSync(file, password);
    });

    it("is reported by the doctor", async () => {
      const password = readFileSync(file, "utf8");
      const environment = { DATA_FOLDER: folder };
      const examined = await withOwnDatabase(folder, () => {
        writeFileSync(file, "");
        return runProgram("jobs/commands/doctor.ts", { given: [], folder, environment });
      });
      writeFileSync(file, password);
      expect(examined).toEqual({ code: 1, said: "", complained: `${refusal}\n` });
    });
  });

  it("fails to start with an error that names the password file if the file has a wrong password", async () => {
    writeFileSync(path.join(folder, "database-password"), "another");
    await expect(withOwnDatabase(folder, async () => undefined)).rejects.toThrow(
      "refuses the password in the file database-password next to it: bring back the original file",
    );
    expect(findPostmaster(cluster)).toBeUndefined();
  });
});
