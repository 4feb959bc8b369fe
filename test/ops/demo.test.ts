import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "@jest/globals";

import { demoShardScript } from "../../shared/local/demo.ts";
import { makePlan } from "../../shared/local/plan.ts";
import { readArguments } from "../simulator/arguments.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-demo-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the demo's shard", () => {
  it.each(["plain", "-dash", "--port=1"])("takes %j for its token, as any other", async (token) => {
    const environment = { DATA_FOLDER: folder, PORT: "0", INTERNAL_PORT: "0" };
    const plan = await makePlan({ demo: true, verbose: false }, environment);
    const player = { id: 4, username: "player", role: "player", hasDemoPassword: true };
    const { arguments: given = [] } = demoShardScript(plan, { port: 4_242, token }, [player]);
    expect(readArguments(given)).toMatchObject({
      port: 4_242,
      token,
      bufferFile: path.join(plan.folder, "simulator.json"),
      links: [{ account: "maple", userId: 4 }],
    });
  });
});
