import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Artwork, startArtwork } from "../imports/artwork.ts";
import { buildSpawner } from "../support/factories/imports.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute } from "../support/http/call.ts";
import { testEnvironment } from "../support/service/server.ts";
import { type ProgramResult, runProgram } from "./shell-program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-art-"));
const importing = "/admin/shard/assets/import";

let art: Artwork;
beforeAll(async () => {
  art = await startArtwork();
  await art.post("/admin/shard/atlas/import");
  await art.post(importing);
  await buildSpawner(art.shard.server, "Here", ["Orc", "ORC", "Nobody", "Will-o-Wisp"]);
  await art.plantCreatures(["Will-o-Wisp"]);
});
afterAll(async () => {
  await art.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...given: string[]): Promise<ProgramResult> =>
  runProgram("jobs/commands/art.ts", {
    given,
    folder,
    environment: testEnvironment(art.shard.server.database.url),
  });

const done = (said: string): ProgramResult => ({ code: 0, said, complained: "" });
const refused = (complained: string): ProgramResult => ({ code: 1, said: "", complained });

interface Page {
  readonly spawns: readonly { entries: readonly { type: string; art: string | null }[] }[];
}

/** Reads the atlas. @returns the types and pictures of the creatures of the inserted spawner */
async function shown(): Promise<(readonly [string, string | null])[]> {
  const { spawns } = (await art.get("/public/atlas?facet=Here")) as unknown as Page;
  return spawns.flatMap(({ entries }) => entries.map(({ type, art: key }) => [type, key] as const));
}

const context = () => art.shard.server.context;

const lines = () =>
  activityOf(art.shard.server, { action: { [Op.like]: "art.%" } }, [
    "action",
    "actorId",
    "targetType",
    "targetId",
    "detail",
  ]);

const choices = () => context().models.CreatureArt.findAll({ order: ["typeKey"], raw: true });

describe("a creature's picture in the atlas", () => {
  it("is the picture of the creature's body or null, whatever the case of its name in the spawner", async () => {
    expect(await shown()).toEqual([
      ["Orc", "body:17"],
      ["ORC", "body:17"],
      ["Nobody", null],
      ["Will-o-Wisp", null],
    ]);
  });

  it("is the picture that an operator pinned", async () => {
    expect(await run("pin", "oRC", "body:401")).toEqual(done("oRC is shown by body:401\n"));
    expect((await shown()).slice(0, 2)).toEqual([
      ["Orc", "body:401"],
      ["ORC", "body:401"],
    ]);
    const { status } = await callRoute(art.shard.server, "GET /public/assets/body:401");
    expect(status).toBe(302);
  });

  it("stays pinned through an import until another picture is pinned", async () => {
    await art.post(importing, { force: true });
    expect((await shown())[0]).toEqual(["Orc", "body:401"]);
    await run("pin", "orc", "land:3");
    expect((await shown())[0]).toEqual(["Orc", "land:3"]);
  });

  it("can be pinned for a creature without a body picture", async () => {
    expect((await run("pin", "Will-o-Wisp", "body:400")).code).toBe(0);
    expect((await shown())[3]).toEqual(["Will-o-Wisp", "body:400"]);
    expect(await run("list")).toEqual(
      done(
        [
          `${(await spellingOf("orc")).padEnd(24)} land:3           instead of body:17\n`,
          "Will-o-Wisp              body:400\n",
        ].join(""),
      ),
    );
  });

  it("falls back to the picture of the body while the pinned picture is not stored", async () => {
    await context().models.Asset.update({ image: null }, { where: { key: "land:3" } });
    expect((await shown())[0]).toEqual(["Orc", "body:17"]);
    expect((await run("list")).said).toMatch(
      /^orc +land:3 +instead of body:17, the site has no such picture$/im,
    );
  });

  it("is the picture of the body, or null, after it is unpinned", async () => {
    expect(await run("unpin", "ORC")).toEqual(done("ORC is shown by body:17\n"));
    expect(await run("unpin", "will-o-wisp")).toEqual(done("will-o-wisp is shown by no picture\n"));
    expect((await shown()).map(([, key]) => key)).toEqual(["body:17", "body:17", null, null]);
    expect(await context().models.CreatureArt.findByPk("will-o-wisp")).toBeNull();
    expect(await run("list")).toEqual(done(""));
  });

  it("leaves an activity entry without an actor each time that it is pinned or unpinned", async () => {
    const line = (action: string, target: string, detail: object) => ({
      action,
      actorId: null,
      targetType: "creature",
      targetId: target,
      detail: { ...detail, from: "shell" },
    });
    expect(await lines()).toEqual([
      line("art.pinned", "orc", { before: null, after: "body:401" }),
      line("art.pinned", "orc", { before: "body:401", after: "land:3" }),
      line("art.pinned", "will-o-wisp", { before: null, after: "body:400" }),
      line("art.unpinned", "orc", { before: "land:3" }),
      line("art.unpinned", "will-o-wisp", { before: "body:400" }),
    ]);
  });
});

const spellingOf = async (typeKey: string): Promise<string> => {
  const { AtlasCreature } = context().models;
  const creature = await AtlasCreature.scope("shown").findOne({ where: { typeKey } });
  return creature?.type ?? "";
};

describe("npm run art", () => {
  it.each([
    [["pin", "Nobody", "body:401"], "The atlas has no creature Nobody\n"],
    [["pin", "Orc", "body:9999"], "The site has no picture with the key body:9999\n"],
    [["pin", "Orc", "orc.png"], "The site has no picture with the key orc.png\n"],
    [["unpin", "Balron"], "No picture was chosen for Balron\n"],
  ])(
    "rejects %j with a message and exit code 1, and changes nothing",
    async (given, complained) => {
      const before = [await choices(), await lines()];
      expect(await run(...given)).toEqual(refused(complained));
      expect([await choices(), await lines()]).toEqual(before);
    },
  );

  it("rejects a catalog key whose picture was never fetched", async () => {
    const unfetched = { where: { image: null }, rejectOnEmpty: true } as const;
    const { key } = await context().models.Asset.findOne(unfetched);
    expect(await run("pin", "Orc", key)).toEqual(
      refused(`The site has no picture with the key ${key}\n`),
    );
  });

  it.each([
    [["pin"], "TYPE"],
    [["pin", "Orc"], "KEY"],
    [["unpin"], "TYPE"],
  ])("names the missing argument of %j", async (given, word) => {
    const { code, complained } = await run(...given);
    expect([code, complained.split("\n")[0]]).toEqual([1, `${word} is missing`]);
    expect(complained).toContain("npm run art -- pin TYPE KEY");
  });

  it.each([
    [[], 1],
    [["draw"], 1],
    [["--help"], 0],
  ])("prints its usage for %j", async (given, code) => {
    const ran = await run(...given);
    expect([ran.code, ran.said.split("\n")[0]]).toEqual([code, "npm run art -- list"]);
  });
});
