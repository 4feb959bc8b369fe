import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, afterEach, describe, expect, it } from "@jest/globals";

import { demoShardScript } from "../../shared/local/demo.ts";
import { ensureFirstAdmin } from "../../shared/local/first-admin.ts";
import { makePlan } from "../../shared/local/plan.ts";
import { findAdmin } from "../demo/accounts.ts";
import { importWorld } from "../demo/import-world.ts";
import { type Artwork, startArtwork } from "../imports/artwork.ts";
import { readArguments } from "../simulator/arguments.ts";
import { startTestIngest } from "../support/ingest.ts";

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

describe("the world of the demo's shard", () => {
  let art: Artwork;
  afterEach(() => art.stop());

  async function start(hasWorker: boolean) {
    art = await startArtwork({ hasWorker });
    const { context } = art.shard.server;
    await art.rows("update users set role = 'player'");
    await ensureFirstAdmin(context);
    return { context, admin: await findAdmin(context) };
  }

  const asked = () =>
    art.rows(
      `select kind, username, result ->> 'status' as status
       from import_runs join users on users.id = asked_by order by asked_at`,
    );

  it("is imported by jobs as its administrator's, and a second time nothing is asked", async () => {
    const { context, admin } = await start(true);
    const ingest = await startTestIngest(context);
    try {
      const all = ["clilocs", "atlas", "assets", "item-art"];
      expect(await importWorld(admin, context)).toEqual(all);
      const runs = all.map((kind) => ({ kind, username: "admin", status: "imported" }));
      expect(await asked()).toEqual(runs);
      const [pictures] = await art.rows(
        `select count(*) filter (where key is null) as lacking, count(key) > 0 as warmed
         from listings left join item_art
           on key = 'item:' || item_id || case when hue = 0 then '' else ':' || hue end
         where item_id between 0 and 65535 and hue between 0 and 65535`,
      );
      expect(pictures).toEqual({ lacking: 0, warmed: true });
      expect(await importWorld(admin, context)).toEqual([]);
      expect(await asked()).toEqual(runs);
    } finally {
      await ingest.stop();
    }
  });

  it("is imported as far as it was not yet", async () => {
    const { context, admin } = await start(true);
    await art.rows(
      "insert into imported_sources (kind, fingerprint, loaded) values ('clilocs', '', '{}')",
    );
    await art.rows("insert into item_art (key, catalog, outcome) values ('item:1', '', 'absent')");
    expect(await importWorld(admin, context)).toEqual(["atlas", "assets"]);
  });

  it("says in one line why nothing is imported", async () => {
    const { context, admin } = await start(false);
    await expect(importWorld(admin, context)).rejects.toThrow(
      /^clilocs: unavailable, No import worker is running: .+$/,
    );
    expect(await asked()).toEqual([]);
  });
});
