import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { type ConsoleSimulator, startConsole } from "../simulator/console/console-simulator.ts";
import { PluginAdapter } from "../simulator/plugin/plugin-adapter.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { type ConsoleSite, startConsoleSite } from "../support/http/console-site.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";

const { start, stopAll } = createSurvivalSimulatorPool();
const anna = "76561198000000001";

let site: ConsoleSite;
let game: ConsoleSimulator;
let ingest: { stop(): Promise<void> };

beforeAll(async () => {
  site = await startConsoleSite();
});
afterAll(() => site?.stop());
beforeEach(async () => {
  await deleteAll(site.server, "SurvivalServer");
  game = await startConsole();
  ingest = await startSurvivalIngest(site.server.context);
});
afterEach(async () => {
  await site.closePages();
  await ingest.stop();
  await game.close();
  await stopAll();
});

interface ShownServer {
  readonly id: number;
  readonly [field: string]: unknown;
}

const readServers = async () =>
  ((await site.as("GET /admin/survival/servers")).body as { servers: ShownServer[] }).servers;

/** Adds a server over the API. @returns the address of its page */
async function addServer(fields: object = {}): Promise<string> {
  const made = await site.as("POST /admin/survival/servers", { name: "Emberfall", ...fields });
  if (made.status !== 201) throw new Error(made.text);
  return `/console/servers/${(made.body as { server: ShownServer }).server.id}`;
}

const form = (page: Page): Locator => page.getByRole("form").first();
const type = (page: Page, label: string, text: string) =>
  form(page).getByLabel(label, { exact: true }).fill(text);
const send = (page: Page, button: string) =>
  form(page).getByRole("button", { name: button }).click();
const choose = (page: Page, kind: string) =>
  form(page).getByLabel("Kind", { exact: true }).selectOption(kind);
const untilState = (page: Page, state: string) =>
  page.getByRole("status").getByText(state, { exact: true }).waitFor();
const untilHeading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name }).waitFor();
const inDialog = (page: Page, button: string) =>
  page.getByRole("dialog").getByRole("button", { name: button }).click();

describe("the form for a survival server", () => {
  it("links the game's console, reports a refused password, and shows the first event live", async () => {
    const { page } = await site.open("admin", "/console/servers");
    await page.getByRole("link", { name: "Add a survival server" }).click();
    await type(page, "Name", "Emberfall");
    await type(page, "Region", "Europe");
    await type(page, "Address for players", "rust.example.org:28015");
    await type(page, "Host of the console", "127.0.0.1");
    await type(page, "Port of the console", String(game.port));
    await type(page, "Password of the console", "a-wrong-password");
    await send(page, "Add the server");
    await untilHeading(page, "Emberfall");
    await untilState(page, "refused");
    await page.getByRole("button", { name: "Test the link" }).click();
    await page.getByText("The link does not work.").waitFor();
    await page.getByText("Save the password again. If it is correct").waitFor();
    await type(page, "Password of the console", game.password);
    await send(page, "Save");
    await untilState(page, "connected");
    game.join(anna, "Anna");
    await page.getByText("An event has arrived: player.joined.").waitFor();
    await page.getByRole("button", { name: "Test the link" }).click();
    await page.getByText("The link works.").waitFor();
    expect(await readServers()).toMatchObject([
      {
        name: "Emberfall",
        slug: "emberfall",
        region: "Europe",
        connect: "rust.example.org:28015",
        kind: "webrcon",
        hasPassword: true,
        listed: true,
        enabled: true,
      },
    ]);
  });

  it("marks the field that is rejected, and keeps what was typed", async () => {
    const { page } = await site.open("admin", "/console/servers/new");
    await type(page, "Name", "Emberfall");
    await type(page, "Address for players", "no port");
    await type(page, "Host of the console", "127.0.0.1");
    await send(page, "Add the server");
    const players = form(page).getByLabel("Address for players", { exact: true });
    await form(page).getByText("must be only host:port").first().waitFor();
    expect(await players.getAttribute("aria-invalid")).toBe("true");
    await players.fill("rust.example.org:28015");
    await send(page, "Add the server");
    const password = form(page).getByLabel("Password of the console", { exact: true });
    await form(page).getByText("rconPassword is required").first().waitFor();
    expect(await password.getAttribute("aria-invalid")).toBe("true");
    expect(await form(page).getByLabel("Name", { exact: true }).inputValue()).toBe("Emberfall");
    expect(await readServers()).toEqual([]);
  });

  it("keeps what was typed if somebody else renames the server", async () => {
    const address = await addServer();
    const { page } = await site.open("admin", address);
    await type(page, "Region", "Europe");
    const { body } = await site.as(`PUT ${address.replace("/console", "/admin/survival")}`, {
      name: "Northwind",
    });
    expect(body).toMatchObject({ server: { name: "Northwind" } });
    const alert = page.getByRole("alert").filter({ hasText: "Somebody else has changed this" });
    await alert.getByText("Northwind").waitFor();
    expect(await form(page).getByLabel("Region").inputValue()).toBe("Europe");
    await alert.getByRole("button", { name: "Keep mine" }).click();
    await send(page, "Save");
    await page.getByText("Saved. The site connects again.").waitFor();
    expect(await readServers()).toMatchObject([{ name: "Northwind", region: "Europe" }]);
  });
});

describe("the page of a survival server", () => {
  let simulator: SurvivalSimulator;

  it("links a plugin with the command that the page shows once", async () => {
    simulator = await start();
    const address = await addServer({ kind: "plugin", enabled: true });
    const { page } = await site.open("admin", address);
    await page.getByText("There is no plugin key.").waitFor();
    await page.getByRole("button", { name: "Create a key" }).click();
    const line = await page.getByRole("group").locator("pre").first().textContent();
    const [command, url = "", key = ""] = (line ?? "").split(" ");
    expect(command).toBe("guildhall.setup");
    const plugin = new PluginAdapter({ sidecar: simulator, game: "rust", protocol: 13, url, key });
    try {
      await untilState(page, "connected");
      await page.getByRole("button", { name: "Test the link" }).click();
      await page.getByText("The link works.").waitFor();
      await page.reload();
      await page.getByRole("button", { name: "Create another key" }).waitFor();
      expect(await page.getByText(key).count()).toBe(0);
    } finally {
      await plugin.stop();
    }
  });

  it("links a sidecar after the link test has reported a wrong token", async () => {
    simulator = await start();
    const { baseUrl, wsUrl, token } = simulator;
    const { page } = await site.open("admin", await addServer());
    await choose(page, "sidecar");
    await type(page, "Address for calls", baseUrl);
    await type(page, "Address of the events", wsUrl);
    await type(page, "Token", "another-token-of-the-game");
    await send(page, "Save");
    await page.getByText("Saved. The site connects again.").waitFor();
    await page.getByRole("button", { name: "Test the link" }).click();
    await page.getByText("Save the token of the sidecar again.").waitFor();
    await type(page, "Token", token);
    await form(page).getByLabel("Turn the link on").check();
    await send(page, "Save");
    await untilState(page, "connected");
    expect(await readServers()).toMatchObject([{ kind: "sidecar", hasToken: true, baseUrl }]);
  });

  it("creates, replaces and deletes the key for reports", async () => {
    const { page } = await site.open("admin", await addServer());
    await page.getByRole("button", { name: "Create a report key" }).click();
    const lines = page.getByRole("group").locator("pre");
    const first = await lines.textContent();
    expect(first).toContain(`server.reportsServerEndpoint "${site.web.url}/api/v1/plugin/reports/`);
    expect(first).toContain("server.writecfg");
    await page.getByRole("button", { name: "Replace the report key" }).click();
    await inDialog(page, "Replace the report key");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await lines.textContent()).not.toBe(first);
    expect(await readServers()).toMatchObject([{ reportKey: { lastUsedAt: null } }]);
    await page.getByRole("button", { name: "Delete the report key" }).click();
    await inDialog(page, "Delete the report key");
    await page.getByText("There is no report key.").waitFor();
    expect(await readServers()).toMatchObject([{ reportKey: null }]);
  });

  it("deletes a server with its worlds only if the user selects this option", async () => {
    const address = await addServer();
    const serverId = Number(address.split("/").at(-1));
    const { SurvivalWipe } = site.server.context.models;
    await SurvivalWipe.create({ serverId, saveId: 1, startedAt: new Date() });
    const { page } = await site.open("admin", address);
    await page.getByRole("button", { name: "Delete this server" }).click();
    await inDialog(page, "Delete the server");
    await page.getByRole("dialog").getByText("The server has worlds").waitFor();
    expect(await readServers()).toHaveLength(1);
    await page.getByLabel("Also delete its worlds").check();
    await inDialog(page, "Cancel");
    // After the cancellation, the reopened dialog has an empty checkbox.
    await page.getByRole("button", { name: "Delete this server" }).click();
    expect(await page.getByLabel("Also delete its worlds").isChecked()).toBe(false);
    await inDialog(page, "Delete the server");
    await page.getByRole("dialog").getByText("The server has worlds").waitFor();
    await page.getByLabel("Also delete its worlds").check();
    await inDialog(page, "Delete the server");
    await page.getByText("No survival server has been added.").waitFor();
    expect(await readServers()).toEqual([]);
  });

  it("shows an error if somebody else deletes the server", async () => {
    const address = await addServer();
    const { page } = await site.open("admin", address);
    await site.as(`DELETE ${address.replace("/console", "/admin/survival")}`);
    const alert = page.getByRole("alert").first();
    await alert.waitFor();
    expect(await alert.textContent()).toContain("Unknown server");
  });
});
