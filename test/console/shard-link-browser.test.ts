import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { PluginAdapter } from "../simulator/plugin/plugin-adapter.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { waitUntil } from "../support/clock/wait.ts";
import {
  type ConsoleSite,
  startConsoleSite,
  waitUntilPageLoaded,
} from "../support/http/console-site.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";

const address = "/console/servers/shard";

let site: ConsoleSite;
let simulator: Simulator;
let ingest: TestIngest;

beforeAll(async () => {
  site = await startConsoleSite();
  simulator = await startSimulator({ world: "small" });
  ingest = await startTestIngest(site.server.context);
});
afterAll(async () => {
  await ingest?.stop();
  await site?.stop();
  await simulator?.stop();
});
beforeEach(async () => {
  // A change of the link's kind deletes the settings that are stored for the former kind.
  await site.as("PUT /admin/shardlink/config", { kind: "plugin", enabled: false });
  await site.as("PUT /admin/shardlink/config", { kind: "status" });
});
afterEach(() => site.closePages());

const readLink = async () =>
  (await site.as("GET /admin/shardlink/config")).body as Record<string, unknown>;

const settings = (page: Page): Locator => page.getByRole("form", { name: "Settings of the link" });
const choose = (page: Page, kind: string) => settings(page).getByLabel("Kind").selectOption(kind);
const type = (page: Page, label: string, text: string) =>
  settings(page).getByLabel(label, { exact: true }).fill(text);
const save = (page: Page) => settings(page).getByRole("button", { name: "Save" }).click();
const live = (page: Page) => page.getByRole("region", { name: "Live" });

/** The state of the link as the page shows it. */
const untilState = (page: Page, state: string) =>
  page.getByRole("status").getByText(state, { exact: true }).waitFor();

const followsEvents = (page: Page) => page.getByText("The page follows the events.").waitFor();

const shout = (text: string) => simulator.emit("world.broadcast", { text, access: "Player" });

/** Links the simulated shard by its sidecar, as another administrator does. */
async function linkSidecar(): Promise<void> {
  const { baseUrl, wsUrl, token } = simulator;
  const link = { kind: "sidecar", baseUrl, wsUrl, token, enabled: true };
  expect((await site.as("PUT /admin/shardlink/config", link)).status).toBe(200);
  await waitUntil("the shard is linked", async () => (await readLink())["status"] === "connected");
}

describe("the page of the link to the shard", () => {
  it("links a plugin with the command that the page shows once, and shows the first event live", async () => {
    const { page } = await site.open("admin", address);
    await choose(page, "plugin");
    await settings(page).getByLabel("Turn the link on").check();
    await save(page);
    await page.getByText("There is no plugin key.").first().waitFor();
    await page.getByRole("button", { name: "Create a key" }).click();
    const lines = page.getByRole("group");
    const inServuo = await lines.filter({ hasText: "In ServUO" }).locator("pre").textContent();
    const line = await lines.filter({ hasText: "another game" }).locator("pre").textContent();
    const [command, url = "", key = ""] = (line ?? "").split(" ");
    expect([command, url]).toEqual(["guildhall.setup", `${site.web.url}/api/v1/plugin`]);
    expect(inServuo).toBe(`[${line}`);
    await page.getByText("No plugin has called yet.").waitFor();
    const plugin = new PluginAdapter({ sidecar: simulator, game: "uo", protocol: 8, url, key });
    try {
      await followsEvents(page);
      await untilState(page, "connected");
      shout("linked by a plugin");
      await page.getByText("An event has arrived").waitFor();
      await live(page).getByText("world.broadcast").first().waitFor();
      await page.getByRole("button", { name: "Done, hide the key" }).click();
      expect(await page.getByText(key).count()).toBe(0);
      await page.getByRole("button", { name: "Revoke the keys" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke the keys" }).click();
      await page.getByText("One key has been revoked.").waitFor();
      expect(await readLink()).toMatchObject({ kind: "plugin", hasKey: false });
    } finally {
      await plugin.stop();
    }
  });

  it("says that the sidecar refuses the token, and links the sidecar after the right token is saved", async () => {
    const { page } = await site.open("admin", address);
    await choose(page, "sidecar");
    await type(page, "Address for calls", simulator.baseUrl);
    await type(page, "Address of the events", simulator.wsUrl);
    await type(page, "Token", "a-wrong-token-of-the-sidecar");
    await settings(page).getByLabel("Turn the link on").check();
    await save(page);
    await page.getByText("The sidecar refuses the token").first().waitFor();
    await untilState(page, "refused");
    await type(page, "Token", simulator.token);
    await save(page);
    await untilState(page, "connected");
    await followsEvents(page);
    shout("linked by a sidecar");
    await page.getByText("An event has arrived").waitFor();
    await page.getByRole("button", { name: "Test the link" }).click();
    await page.getByText("The link works.").waitFor();
    expect(await readLink()).toMatchObject({ kind: "sidecar", hasToken: true, protocol: 8 });
  });

  it("names the field that is missing, and says what to do if no game answers", async () => {
    const { page } = await site.open("admin", address);
    await settings(page).getByLabel("Turn the link on").check();
    await save(page);
    const host = settings(page).getByLabel("Host", { exact: true });
    await settings(page).getByText("statusHost is required").first().waitFor();
    expect(await host.getAttribute("aria-invalid")).toBe("true");
    await host.fill("127.0.0.1");
    await type(page, "Port", String(await takeFreePort()));
    await save(page);
    await page.getByText("Start the game server, or correct the host and the port").waitFor();
    expect(await readLink()).toMatchObject({ kind: "status", statusHost: "127.0.0.1" });
  });

  it("asks for a confirmation before a change of the link's kind deletes the stored token", async () => {
    await linkSidecar();
    const { page } = await site.open("admin", address);
    await choose(page, "status");
    await type(page, "Host", "play.example.org");
    await save(page);
    const dialog = page.getByRole("dialog", { name: "Change the kind" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await readLink()).toMatchObject({ kind: "sidecar", hasToken: true });
    expect(await settings(page).getByLabel("Host", { exact: true }).inputValue()).toBe(
      "play.example.org",
    );
    await save(page);
    await dialog.getByRole("button", { name: "Change the kind" }).click();
    await page.getByText("Saved. The site connects again.").waitFor();
    expect(await readLink()).toMatchObject({ kind: "status", hasToken: false });
  });

  it("keeps the typed host if somebody else saves another one, and asks which to store", async () => {
    const { page } = await site.open("admin", address);
    await type(page, "Host", "mine.example.org");
    const other = { statusHost: "theirs.example.org", statusPort: 2600 };
    expect((await site.as("PUT /admin/shardlink/config", other)).status).toBe(200);
    await save(page);
    const alert = page.getByRole("alert").filter({ hasText: "Somebody else has changed this" });
    await alert.getByText("theirs.example.org").waitFor();
    expect(await readLink()).toMatchObject(other);
    expect(await settings(page).getByLabel("Host", { exact: true }).inputValue()).toBe(
      "mine.example.org",
    );
    await alert.getByRole("button", { name: "Keep mine" }).click();
    await save(page);
    await page.getByText("Saved. The site connects again.").waitFor();
    // The save keeps the port that the other administrator saved.
    expect(await readLink()).toMatchObject({ statusHost: "mine.example.org", statusPort: 2600 });
  });

  it("keeps what was typed while the session ends, and saves it after the next sign-in", async () => {
    const { page, userId, password } = await site.open("admin", address);
    await type(page, "Host", "after.example.org");
    await site.as(`POST /admin/users/${userId}/sessions/revoke`);
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await save(page);
    await page.getByText("Saved. The site connects again.").waitFor();
    expect(await readLink()).toMatchObject({ statusHost: "after.example.org" });
  });

  it("closes if the role is taken away, after the person has signed in again", async () => {
    const { page, userId, password } = await site.open("admin", address);
    await site.as(`PATCH /admin/users/${userId}`, { role: "moderator" });
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("Your role does not include this page.").waitFor();
    expect(await page.getByRole("form").count()).toBe(0);
  });
});

describe("the tools of the shard", () => {
  it("change the setting that decides where new game accounts come from", async () => {
    await linkSidecar();
    const { page } = await site.open("admin", address);
    const mode = page.getByRole("form", { name: "Origin of new game accounts" });
    await mode.getByRole("combobox").selectOption("hybrid");
    await mode.getByRole("button", { name: "Save" }).click();
    await page.getByText("The mode has been changed.").waitFor();
    const stored = await site.as("GET /admin/shardlink/signup-mode");
    expect(stored.body).toMatchObject({ mode: "hybrid" });
  });

  it("add an entry that the town criers repeat, and remove the entry", async () => {
    await linkSidecar();
    const { page } = await site.open("admin", address);
    const form = page.getByRole("form", { name: "Add the entry" });
    await form.getByLabel("Lines").fill("Hear ye!\nThe fair opens on Saturday.");
    await form.getByLabel("Duration").fill("2");
    await form.getByLabel("Unit").selectOption("hours");
    await form.getByRole("button", { name: "Add the entry" }).click();
    const crier = page.getByRole("table").filter({ hasText: "Hear ye!" });
    await crier.getByText("The fair opens on Saturday.").waitFor();
    const entries = async () =>
      ((await site.as("GET /admin/shardlink/towncrier")).body as { entries: object[] }).entries;
    expect(await entries()).toMatchObject([{ lines: ["Hear ye!", "The fair opens on Saturday."] }]);
    await crier.getByRole("button", { name: "Remove the entry" }).click();
    await page.getByRole("dialog").getByText("stop repeating “Hear ye!”").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the entry" }).click();
    await page.getByText("The town criers have no entry.").waitFor();
    expect(await entries()).toEqual([]);
  });

  it("list rejected frames with the reason", async () => {
    await linkSidecar();
    simulator.faults.trigger("frame", { form: "notJson" });
    await waitUntil("a frame is rejected", async () => {
      const { body } = await site.as("GET /admin/shardlink/rejected");
      return (body as { frames: object[] }).frames.length > 0;
    });
    const { page } = await site.open("admin", address);
    await waitUntilPageLoaded(page);
    const row = page.getByRole("region", { name: "Rejected frames" }).getByRole("row").nth(1);
    await row.waitFor();
    expect(await row.getByRole("cell").allTextContents()).toContain("json");
  });
});
