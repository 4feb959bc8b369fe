import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Browser, BrowserContextOptions, Locator, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { Role } from "../../models/auth/user.ts";
import { type FileContents, writeFiles } from "../imports/import-test-site.ts";
import { servuoTree, servuoTreeWithoutMalas } from "../imports/trees.ts";
import { smallWorld } from "../simulator/world/sizes.ts";
import {
  createTestUser,
  type SignedIn,
  signIn,
  type TestUser,
} from "../support/accounts/sign-in.ts";
import { buildAsset, readImportCounts } from "../support/factories/imports.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { startBrowser } from "../support/http/browser.ts";
import { violationsOf } from "../support/http/console-site.ts";
import { collectPageErrors, overflowOf } from "../support/http/page-checks.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { type ApiProcess, startApiProcess, startProgram } from "../support/service/processes.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

const texts = 6_000;

let shard: LinkedShard;
let web: ApiProcess;
let worker: ChildProgram;
let browser: Browser;
let admin: SignedIn;
const folder = mkdtempSync(path.join(tmpdir(), "guildhall-imports-page-"));

beforeAll(async () => {
  shard = await startLinkedShard({ simulator: { world: { ...smallWorld, clilocs: texts } } });
  admin = await signIn(shard.server, { role: "admin" });
  web = await startApiProcess(shard.server.database);
  worker = await startProgram("worker", {
    database: shard.server.database,
    arguments: ["imports"],
  });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await web?.stop();
  await shard?.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  shard.simulator.faults.clear();
  await changeSidecarLink(shard.server, { enabled: true });
  for (const context of browser.contexts()) await context.close();
});

interface Opened extends TestUser {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a page of the console as a new user with this role. */
async function open(
  role: Role,
  address = "/console/imports",
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  const complaints = await collectPageErrors(page);
  const user = await createTestUser(shard.server, { role });
  const data = { username: user.username, password: user.password };
  const answer = await context.request.post(`${web.url}/api/v1/auth/login`, { data });
  if (!answer.ok()) throw new Error(`login answered ${answer.status()}`);
  await page.goto(web.url + address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  return { page, complaints, ...user };
}

const clilocs = "Texts of the game client (clilocs)";
const atlas = "Spawn atlas";
const assets = "Pictures of creatures and land";
const applied = "The import was applied.";
const waits = "The import would remove data and waits for review.";

const section = (page: Page, name: string): Locator =>
  page.getByRole("region", { name, exact: true });

const start = (page: Page, name: string) =>
  section(page, name).getByRole("button", { name: "Import", exact: true }).click();

/** Runs an import over the API and returns the status of its result. */
async function runImport(kind: "atlas" | "assets" | "clilocs"): Promise<string> {
  const { body } = await shard.as(admin, `POST /admin/shard/${kind}/import`);
  return (body as { status: string }).status;
}

/** Makes the atlas read a folder of files, or the shard for null. */
async function setTree(name: string | null, files: FileContents = {}): Promise<string> {
  const tree = name === null ? "" : path.join(folder, name);
  await writeFiles(tree === "" ? folder : tree, files);
  const body = { path: tree };
  const { status } = await shard.as(admin, "PUT /admin/shard/atlas/path", { body });
  expect(status).toBe(200);
  return tree;
}

const facetsOf = async (): Promise<number> => {
  const { body } = await shard.as(admin, "GET /admin/shard/atlas");
  return (body as { loaded: { facets: number } }).loaded.facets;
};

describe("the page Imports", () => {
  it("runs an import, shows its progress and then its result and the new state", async () => {
    const { page, complaints } = await open("admin");
    shard.simulator.faults.trigger("slow", {
      path: "/v1/clilocs/entries",
      times: 1_000,
      ms: 500,
    });
    await start(page, clilocs);
    const bar = section(page, clilocs).getByRole("progressbar", {
      name: /^texts: [\d,]+ of 6,000$/,
    });
    await bar.waitFor();
    shard.simulator.faults.clear();
    await section(page, clilocs).getByText(applied).waitFor();
    await section(page, clilocs)
      .getByText("The source and the loaded data are the same.")
      .waitFor();
    // Blank texts are not stored.
    const stored = (await readImportCounts(shard.server)).held.texts;
    expect(stored).toBeGreaterThan(texts / 3);
    await section(page, clilocs)
      .getByText(`${stored.toLocaleString("en")} texts`)
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it("stops a running import after a confirmation, and the loaded data stays", async () => {
    const { page, complaints } = await open("admin");
    const { held: before } = await readImportCounts(shard.server);
    shard.simulator.faults.trigger("slow", {
      path: "/v1/clilocs/entries",
      times: 1_000,
      ms: 1_000,
    });
    await section(page, clilocs).getByLabel("Import even if the source has not changed").check();
    await start(page, clilocs);
    await section(page, clilocs)
      .getByRole("button", { name: /^Stop the import/ })
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The loaded data stays as it is.").waitFor();
    await dialog.getByRole("button", { name: "Stop the import" }).click();
    await dialog.waitFor({ state: "detached" });
    await section(page, clilocs).getByRole("button", { name: "Import", exact: true }).waitFor();
    const { body } = await shard.as(admin, "GET /admin/jobs?state=cancelled");
    expect((body as { jobs: { queue: string }[] }).jobs.map(({ queue }) => queue)).toEqual([
      "imports.clilocs",
    ]);
    expect((await readImportCounts(shard.server)).held.texts).toBe(before.texts);
    expect(complaints).toEqual([]);
  });

  it("says why an import cannot run while the link to the shard is off", async () => {
    const { page } = await open("admin");
    await changeSidecarLink(shard.server, { enabled: false });
    await start(page, assets);
    await section(page, assets).getByText("The import could not run.").waitFor();
    await section(page, assets).getByText("DISABLED").waitFor();
    const bar = section(page, assets).getByRole("progressbar");
    await bar.waitFor({ state: "detached" });
    expect(await bar.count()).toBe(0);
  });

  it("shows the health of the market and of the atlas", async () => {
    const { page } = await open("admin");
    const facts = async (name: string) => section(page, name).getByRole("term").allTextContents();
    expect(await facts("Market")).toEqual(expect.arrayContaining(["Vendors", "Items for sale"]));
    expect(await facts("Atlas")).toEqual(expect.arrayContaining(["State", "Loaded", "Left out"]));
  });

  it("is not shown to an editor or a moderator", async () => {
    for (const role of ["editor", "moderator"] as const) {
      const { page } = await open(role);
      await page.getByText("Your role does not include this page.").waitFor();
      expect(await page.getByRole("link", { name: "Imports" }).count()).toBe(0);
    }
  });
});

describe("the review of an import on the page Imports", () => {
  it("shows the facets that would vanish, and approving it removes them", async () => {
    expect(await runImport("atlas")).toBe("imported");
    const before = await facetsOf();
    const tree = path.join(folder, "two");
    await writeFiles(tree, servuoTree);
    const { page, complaints } = await open("admin");
    await section(page, atlas).getByText("Import from files").click();
    await section(page, atlas).getByLabel("Path of the folder of a game server").fill(tree);
    await section(page, atlas).getByRole("button", { name: "Save" }).click();
    await section(page, atlas).getByText(tree, { exact: true }).waitFor();
    await start(page, atlas);
    await section(page, atlas).getByText(waits).waitFor();
    const table = page.getByRole("region", { name: "The facets now and after the import" });
    await table.getByText("(would be removed)").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await overflowOf(page)).toBe(0);
    await section(page, atlas).getByRole("button", { name: "Approve the import" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve the import" }).click();
    await section(page, atlas).getByText(applied).waitFor();
    await table.waitFor({ state: "detached" });
    expect([before > 2, await facetsOf()]).toEqual([true, 2]);
    expect(complaints).toEqual([]);
  });

  it("refuses to approve an import that a newer import replaced, and shows the newer import", async () => {
    await setTree("one", servuoTreeWithoutMalas);
    expect(await runImport("atlas")).toBe("needsReview");
    const { page } = await open("admin");
    const approve = section(page, atlas).getByRole("button", { name: "Approve the import" });
    await approve.click();
    await page.getByRole("dialog").getByText("Malas").waitFor();
    // The page must not learn of the other import before the person approves.
    const held: Route[] = [];
    let isHeld = true;
    await page.route("**/api/v1/admin/shard/atlas", async (route) => {
      if (isHeld) held.push(route);
      else await route.continue();
    });
    await setTree("other", {
      ...servuoTreeWithoutMalas,
      "Data/Regions.xml":
        servuoTreeWithoutMalas["Data/Regions.xml"]?.toString().replaceAll("Felucca", "Trammel") ??
        "",
      "Spawns/felucca.xml":
        servuoTreeWithoutMalas["Spawns/felucca.xml"]?.toString().replaceAll("Felucca", "Trammel") ??
        "",
    });
    expect(await runImport("atlas")).toBe("needsReview");
    await page.getByRole("dialog").getByRole("button", { name: "Approve the import" }).click();
    await section(page, atlas).getByText("Somebody else saved this").waitFor();
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
    await section(page, atlas).getByText("Another import took the place").waitFor();
    await section(page, atlas)
      .getByText("The import would remove these facets: Felucca, Malas.")
      .waitFor();
    expect(await facetsOf()).toBe(2);
  });

  it("rejects an import after a confirmation, and then says that the source was rejected", async () => {
    const { page, complaints } = await open("admin");
    await section(page, atlas).getByRole("button", { name: "Reject the import" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reject the import" }).click();
    await section(page, atlas)
      .getByText("Imports are rejected until the source changes.")
      .waitFor();
    await start(page, atlas);
    await section(page, atlas)
      .locator("strong")
      .getByText("An administrator rejected this state of the source.")
      .waitFor();
    expect(await facetsOf()).toBe(2);
    expect(complaints).toEqual([]);
    await setTree(null);
  });

  it("lists the pictures that would vanish, and the page Home links to the review", async () => {
    expect(await runImport("assets")).toBe("imported");
    await buildAsset(shard.server, { key: "land:20001" });
    const { page, complaints } = await open("admin", "/console");
    await page.goto(`${web.url}/console/imports`);
    await section(page, assets).getByLabel("Fetch unchanged pictures again").check();
    await start(page, assets);
    await section(page, assets).getByText("land:20001").waitFor();
    await page.goto(`${web.url}/console`);
    await page.getByRole("link", { name: "1 import that waits for approval" }).click();
    await section(page, assets).getByRole("button", { name: "Approve the import" }).click();
    await page.getByRole("dialog").getByText("removes 1 picture").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Approve the import" }).click();
    await section(page, assets).getByText(applied).waitFor();
    await section(page, assets).getByText("land:20001").waitFor({ state: "detached" });
    const { Asset } = shard.server.context.models;
    expect(await Asset.findByPk("land:20001")).toBeNull();
    expect(complaints).toEqual([]);
  });
});

describe("the page Imports after the end of a session or in German", () => {
  it("keeps a typed path when the session ends, and saves it after a new sign-in", async () => {
    const { page, username, password } = await open("admin");
    await section(page, clilocs).getByText("Import from files").click();
    const field = section(page, clilocs).getByLabel("Path of the file Cliloc.enu");
    await field.fill("/typed/before/the/end");
    await page.context().clearCookies();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    expect(await dialog.getByLabel("Username").inputValue()).toBe(username);
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe("/typed/before/the/end");
    await section(page, clilocs).getByRole("button", { name: "Save" }).click();
    await section(page, clilocs).getByRole("button", { name: "Save" }).waitFor();
    await expect
      .poll(async () => {
        const { body } = await shard.as(admin, "GET /admin/shard/clilocs");
        return (body as { path: string }).path;
      })
      .toBe("/typed/before/the/end");
    const body = { path: "" };
    await shard.as(admin, "PUT /admin/shard/clilocs/path", { body });
  });

  it.each(["/console/imports", "/api/queues"])(
    "is in German at %s, fits a phone and breaks no rule of accessibility",
    async (address) => {
      const { page, complaints } = await open("admin", address, {
        locale: "de-DE",
        viewport: { width: 360, height: 700 },
      });
      const heading = address === "/api/queues" ? "Warteschlangen" : "Importe";
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});
