import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { Role } from "../../models/auth/user.ts";
import { normalizeConfigText } from "../simulator/survival/world/config-text.ts";
import { onlinePlayers } from "../simulator/survival/world/world.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { startBrowser } from "../support/http/browser.ts";
import { callRoute } from "../support/http/call.ts";
import { findButton, violationsOf } from "../support/http/console-site.ts";
import { collectPageErrors, overflowOf } from "../support/http/page-checks.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let game: SurvivalGameSite;
let ingest: Awaited<ReturnType<typeof startSurvivalIngest>>;
let web: ApiProcess;
let browser: Browser;
let admin: SignedIn;
let serverId: number;

const environment = { SURVIVAL_DEBOUNCE: "0s" };

beforeAll(async () => {
  server = await startTestServer({ environment });
  game = await startSurvivalGame(server, { name: "Oak" }, { ticking: true });
  serverId = game.server.id;
  admin = await signIn(server, { role: "admin" });
  ingest = await startSurvivalIngest(server.context);
  web = await startApiProcess(server.database, environment);
  browser = await startBrowser();
  await waitUntil("the server is connected", async () => {
    const { server: one } = await read<{
      server: { link: { status: string; worldReady: boolean } };
    }>(`/servers/${serverId}`);
    return one.link.status === "connected" && one.link.worldReady;
  });
});
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await ingest?.stop();
  await server?.stop();
  await game?.simulator.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

/** Reads an answer of the API for staff. */
const read = async <Body>(path: string): Promise<Body> =>
  (await callRoute(server, `GET /admin/survival${path}`, { headers: admin.headers })).body as Body;

/** Sends a write request as another administrator. @throws if the answer is not a success */
async function change<Body>(line: string, body: object): Promise<Body> {
  const [method = "", path = ""] = line.split(" ");
  const answer = await callRoute(server, `${method} /admin/survival${path}`, {
    headers: admin.headers,
    body,
  });
  if (answer.status >= 300) throw new Error(`${line} answered ${answer.status}: ${answer.text}`);
  return answer.body as Body;
}

interface Opened {
  readonly page: Page;
  readonly user: SignedIn;
  readonly complaints: readonly string[];
}

/** Opens a page of the console as a new user with this role, who is signed in. */
async function open(role: Role, path: string, locale = "en-GB"): Promise<Opened> {
  const context = await browser.newContext({ locale });
  const user = await signIn(server, { role });
  const [name = "", value = ""] = user.cookie.split(";")[0]?.split("=") ?? [];
  await context.addCookies([{ name, value, url: web.url }]);
  const page = await context.newPage();
  const complaints = await collectPageErrors(page);
  await page.goto(`${web.url}/console/survival${path}`);
  await isLoaded(page);
  return { page, user, complaints };
}

/** Waits until every part of the page has its data. */
async function isLoaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const isSaved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved." }).waitFor();

/** Says a sentence in the game, and waits until the site has stored it. */
async function say(message: string): Promise<{ readonly id: number }> {
  const [{ steamId } = { steamId: "" }] = onlinePlayers(game.simulator.world);
  game.simulator.turn({ turn: "chat", steamId, message });
  let line: { readonly id: number } | undefined;
  await waitUntil("the chat message is stored", async () => {
    const { events } = await read<{
      events: { id: number; payload: { message?: string } }[];
    }>(`/servers/${serverId}/events?kind=player.chat`);
    line = events.find(({ payload }) => payload.message === message);
    return line !== undefined;
  });
  return line ?? { id: 0 };
}

describe("the page of a survival server", () => {
  it("lets a moderator read its state and hide a chat message", async () => {
    const { id } = await say("buy gold at my shop");
    const { page } = await open("moderator", "");
    await page.getByRole("link", { name: "Oak" }).click();
    await isLoaded(page);
    await page.getByRole("heading", { level: 1, name: "Oak: State and events" }).waitFor();
    expect(await page.getByRole("region", { name: "Events" }).count()).toBe(1);
    await page.getByLabel("Kind", { exact: true }).selectOption("player.chat");
    const row = rowOf(page, "buy gold at my shop");
    await findButton(row, "Hide").click();
    await row.getByText("hidden from players").waitFor();
    const { events } = await read<{ events: { id: number; hiddenAt: string | null }[] }>(
      `/servers/${serverId}/events?kind=player.chat`,
    );
    expect(events.find((one) => one.id === id)?.hiddenAt).not.toBeNull();
    await findButton(row, "Show again").click();
    await findButton(row, "Hide").waitFor();
  });

  it("bans a player who leaves while the reason is typed, and lifts the ban", async () => {
    const { page } = await open("moderator", "");
    await page.clock.install();
    await page.goto(`${web.url}/console/survival/servers/${serverId}`);
    await isLoaded(page);
    const [, { steamId } = { steamId: "" }] = onlinePlayers(game.simulator.world);
    const row = page.locator("tr").filter({ has: page.getByRole("link", { name: steamId }) });
    await row.getByRole("button", { name: /^Ban / }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Aimbot");
    game.simulator.turn({ turn: "leave", steamId });
    await waitUntil("the site knows that the player has left", async () => {
      const path = `GET /public/survival/servers/${serverId}/online`;
      return !(await callRoute(server, path, { headers: admin.headers })).text.includes(steamId);
    });
    await page.clock.fastForward("00:16");
    await row.waitFor({ state: "detached" });
    await dialog.getByLabel("Duration").selectOption({ label: "1 day" });
    await findButton(dialog, "Ban").click();
    await dialog.waitFor({ state: "detached" });
    const { bans } = await read<{ bans: { steamId: string; reason: string }[] }>(
      `/servers/${serverId}/bans`,
    );
    expect(bans).toContainEqual(expect.objectContaining({ steamId, reason: "Aimbot" }));
    await findButton(page, "Ask the game for its bans").click();
    await findButton(rowOf(page, "Aimbot"), "Lift the ban").click();
    await findButton(page.getByRole("dialog"), "Lift the ban").click();
    await rowOf(page, "Aimbot").waitFor({ state: "detached" });
  });

  it("shows a moderator no page that only administrators may use", async () => {
    const { page } = await open("moderator", `/servers/${serverId}`);
    const links = page.getByRole("navigation", { name: "Pages of this server" });
    expect(await links.getByRole("link").allTextContents()).toEqual([
      "State and events",
      "Chat titles",
      "Permissions",
    ]);
    await page.goto(`${web.url}/console/survival/servers/${serverId}/config`);
    await page.getByText("Your role does not include this page.").waitFor();
  });
});

describe("the settings of a survival server", () => {
  it("are changed one by one, and the wipe schedule as a whole", async () => {
    const { page } = await open("admin", `/servers/${serverId}/settings`);
    await page.getByLabel("Region").fill("Europe");
    await page.getByLabel("Rankings leave out players whom the game reports as staff").check();
    await findButton(page, "Save").click();
    await isSaved(page);
    await page.getByLabel("A wipe is planned").selectOption("weekly");
    await page.getByLabel("Weekday").selectOption({ label: "Thursday" });
    await page.getByLabel("Time of day").fill("19:30");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await findButton(page, "Save the schedule").click();
    await waitUntil("the schedule is stored", async () => {
      const { server: one } = await read<{ server: { wipeTime: string | null } }>(
        `/servers/${serverId}`,
      );
      return one.wipeTime === "19:30";
    });
    const { server: stored } = await read<{ server: object }>(`/servers/${serverId}`);
    expect(stored).toMatchObject({
      name: "Oak",
      region: "Europe",
      ignoreStaff: true,
      wipeRule: "weekly",
      wipeDay: 4,
      wipeTimezone: "Europe/Berlin",
    });
  });

  it("show both versions if another administrator has changed the same field", async () => {
    const { page } = await open("admin", `/servers/${serverId}/settings`);
    await page.getByLabel("Region").fill("Mine");
    await page.getByLabel("Position in lists").fill("7");
    await change(`PUT /servers/${serverId}`, { region: "Theirs", description: "An old oak" });
    await findButton(page, "Save").click();
    const versions = page.getByRole("region", { name: "Two versions" });
    await versions.locator("del", { hasText: "Region: Theirs" }).waitFor();
    await findButton(page, "Keep my version and go on").click();
    expect(await page.getByLabel("Region").inputValue()).toBe("Mine");
    expect(await page.getByLabel("Description").inputValue()).toBe("An old oak");
    await findButton(page, "Save").click();
    await isSaved(page);
    const { server: stored } = await read<{ server: object }>(`/servers/${serverId}`);
    expect(stored).toMatchObject({ region: "Mine", sort: 7, description: "An old oak" });
  });

  it("keep what was typed while they were being saved", async () => {
    const { page } = await open("admin", `/servers/${serverId}/settings`);
    const sent = Promise.withResolvers<void>();
    const typed = Promise.withResolvers<void>();
    await page.route(`**/admin/survival/servers/${serverId}`, async (route) => {
      if (route.request().method() === "PUT") {
        sent.resolve();
        await typed.promise;
      }
      await route.continue();
    });
    await page.getByLabel("Region").fill("West");
    await findButton(page, "Save").click();
    await sent.promise;
    await page.getByLabel("Description").fill("Typed meanwhile");
    const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
    typed.resolve();
    await saved;
    await findButton(page, "Save").waitFor();
    expect(await page.getByLabel("Description").inputValue()).toBe("Typed meanwhile");
    await findButton(page, "Save").click();
    await isSaved(page);
    const { server: stored } = await read<{ server: object }>(`/servers/${serverId}`);
    expect(stored).toMatchObject({ region: "West", description: "Typed meanwhile" });
  });

  it("show a fault at its field and keep what was typed", async () => {
    const { page } = await open("admin", `/servers/${serverId}/settings`);
    await page.getByLabel("Address for players").fill("not an address");
    await findButton(page, "Save").click();
    const field = page.locator("[aria-invalid=true]");
    await field.waitFor();
    expect(await field.inputValue()).toBe("not an address");
  });

  it("keep what was typed after the session has ended", async () => {
    const { page, user } = await open("admin", `/servers/${serverId}/settings`);
    await page.getByLabel("Region").fill("North");
    await callRoute(server, `POST /admin/users/${user.userId}/sessions/revoke`, {
      headers: admin.headers,
    });
    await findButton(page, "Save").click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(user.password);
    await page.keyboard.press("Enter");
    await isSaved(page);
    const { server: stored } = await read<{ server: { region: string } }>(`/servers/${serverId}`);
    expect(stored.region).toBe("North");
  });

  it("are no longer shown after the role was taken away", async () => {
    const { page, user } = await open("admin", `/servers/${serverId}/settings`);
    await page.getByLabel("Region").fill("South");
    await callRoute(server, `PATCH /admin/users/${user.userId}`, {
      headers: admin.headers,
      body: { role: "moderator" },
    });
    await findButton(page, "Save").click();
    // The change of the user's role has ended the user's sessions.
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(user.password);
    await page.keyboard.press("Enter");
    await page.getByText("Your role no longer includes this page").waitFor();
    const { server: stored } = await read<{ server: { region: string } }>(`/servers/${serverId}`);
    expect(stored.region).not.toBe("South");
  });
});

describe("the chat titles of a survival server", () => {
  it("are set by rules that can be added and reordered", async () => {
    const { page } = await open("admin", `/servers/${serverId}/titles`);
    for (const [at, stat] of ["playersKilled", "woodGathered"].entries()) {
      await findButton(page, "Add an entry").click();
      const rule = page.getByRole("group", { name: `Title rule ${at + 1}` });
      await rule.getByLabel("Statistic").selectOption(stat);
      await rule.getByLabel("Number of holders").fill(String(at + 1));
    }
    const last = page.getByRole("group", { name: "Title rule 2" });
    await last.getByLabel("In use").uncheck();
    await findButton(last, "Move up").click();
    await findButton(page, "Save").click();
    await isSaved(page);
    const { rules } = await read<{ rules: object[] }>(`/servers/${serverId}/titles`);
    expect(rules).toEqual([
      expect.objectContaining({ stat: "woodGathered", topN: 2, enabled: false, text: null }),
      expect.objectContaining({ stat: "playersKilled", topN: 1, enabled: true, text: null }),
    ]);
  });

  it("are read-only for a moderator", async () => {
    const { page } = await open("moderator", `/servers/${serverId}/titles`);
    await page.getByRole("heading", { name: "Holders" }).waitFor();
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  });
});

describe("the page of announcements", () => {
  it("sends a message to the game once, and shows the result for each server", async () => {
    const { page } = await open("moderator", "/announce");
    await page.getByLabel("Message").fill("The boss wakes in five minutes.");
    await page.getByLabel("Oak").check();
    await findButton(page, "Announce").click();
    await rowOf(page, "Oak").getByText("shown").waitFor();
    expect(game.calls().filter((line) => line === "POST /v1/announce")).toHaveLength(1);
  });
});

interface Group {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly permissions: readonly string[];
  readonly parent: string | null;
  readonly revision: string;
}

const groupNamed = async (name: string): Promise<Group | undefined> =>
  (await read<{ groups: Group[] }>("/permissions")).groups.find((one) => one.name === name);

describe("the pages of permissions", () => {
  it("create a group that inherits from another one", async () => {
    await change("POST /permissions/groups", { name: "member", permissions: ["kits.member"] });
    const { page } = await open("admin", "/permissions");
    await page.getByRole("link", { name: "New group" }).click();
    await isLoaded(page);
    await page.getByLabel("Name", { exact: true }).fill("vip");
    await page.getByLabel("Parent group").selectOption("member");
    await page.getByLabel("Permissions", { exact: true }).fill("kits.vip\nbackpacks.*");
    await findButton(page, "Create the group").click();
    await page.getByRole("link", { name: "vip", exact: true }).waitFor();
    expect(await groupNamed("vip")).toMatchObject({
      parent: "member",
      permissions: expect.arrayContaining(["kits.vip", "backpacks.*"]) as unknown,
      scope: { all: true },
    });
  });

  it("show both versions if another administrator has changed the group, and lose no text", async () => {
    const { group } = await change<{ group: Group }>("POST /permissions/groups", {
      name: "helper",
      title: "Helper",
      permissions: ["kits.helper"],
    });
    const { page } = await open("admin", `/permissions/groups/${group.id}`);
    await page.getByLabel("Title", { exact: true }).fill("Mine");
    await change(`PUT /permissions/groups/${group.id}`, { permissions: ["kits.other"] });
    await findButton(page, "Save").click();
    await page.getByText("Somebody else saved this").waitFor();
    const versions = page.getByRole("region", { name: "Two versions" });
    await versions.locator("ins", { hasText: "Title: Mine" }).waitFor();
    await versions.locator("del", { hasText: "kits.other" }).waitFor();
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Mine");
    expect(await violationsOf(page)).toEqual([]);
    await findButton(page, "Keep my version and go on").click();
    await findButton(page, "Save").click();
    await isSaved(page);
    // The save keeps the other administrator's change to another field.
    expect(await groupNamed("helper")).toMatchObject({
      title: "Mine",
      permissions: ["kits.other"],
    });
  });

  it("keep the servers of a group if the list of servers cannot be read", async () => {
    const scope = { all: false, serverIds: [serverId] };
    const { group } = await change<{ group: Group }>("POST /permissions/groups", {
      name: "scoped",
      scope,
    });
    const { page } = await open("admin", "");
    await page.route("**/admin/survival/servers", (route) => route.fulfill({ status: 503 }));
    await page.goto(`${web.url}/console/survival/permissions/groups/${group.id}`);
    await page.getByLabel("Title", { exact: true }).fill("Scoped");
    await findButton(page, "Save").click();
    await isSaved(page);
    expect(await groupNamed("scoped")).toMatchObject({ title: "Scoped", scope });
  });

  it("delete a changed group after a confirmation", async () => {
    const { group } = await change<{ group: Group }>("POST /permissions/groups", { name: "gone" });
    const { page } = await open("admin", `/permissions/groups/${group.id}`);
    await page.getByLabel("Title", { exact: true }).fill("Changed");
    await findButton(page, "Save").click();
    await isSaved(page);
    await findButton(page, "Delete the group").click();
    await findButton(page.getByRole("dialog"), "Delete the group").click();
    await page.getByRole("heading", { name: "Sync to the servers" }).waitFor();
    expect(await groupNamed("gone")).toBeUndefined();
  });

  it("grant, change and revoke a permission, and show what the player may do", async () => {
    const steamId = "76561198000000001";
    const { page } = await open("admin", "/grants");
    await findButton(page, "Grant").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Permission or group").fill("kits.vip");
    await dialog.getByLabel("Steam id").fill(steamId);
    await dialog.getByLabel("Ends").fill("2090-05-01T12:00");
    await findButton(dialog, "Grant").click();
    await rowOf(page, "kits.vip").waitFor();
    await findButton(rowOf(page, "kits.vip"), "Change the grant").click();
    await page.getByRole("dialog").getByLabel("Note").fill("Helps at the event");
    await findButton(page.getByRole("dialog"), "Save").click();
    await rowOf(page, "Helps at the event").waitFor();
    await page.getByRole("link", { name: steamId }).click();
    await isLoaded(page);
    const effective = page.getByRole("region", { name: "What the player may do" });
    await effective.getByText("kits.vip").waitFor();
    await findButton(rowOf(page, "Helps at the event"), "Revoke the grant").click();
    await findButton(page.getByRole("dialog"), "Revoke the grant").click();
    await effective.getByText("kits.vip").waitFor({ state: "detached" });
    const { grants } = await read<{ grants: object[] }>(`/permissions/grants?steamId=${steamId}`);
    expect(grants).toEqual([
      expect.objectContaining({
        value: "kits.vip",
        state: "revoked",
        reason: "Helps at the event",
      }),
    ]);
  });

  it("keep the expiry of a grant to the second if only its note changes", async () => {
    const steamId = "76561198000000003";
    const expiresAt = "2090-05-01T12:00:34.000Z";
    const grant = { kind: "permission", value: "kits.vip", steamId, expiresAt };
    await change("POST /permissions/grants", grant);
    const { page } = await open("admin", `/grants?steamId=${steamId}`);
    await findButton(rowOf(page, steamId), "Change the grant").click();
    await page.getByRole("dialog").getByLabel("Note").fill("To the second");
    await findButton(page.getByRole("dialog"), "Save").click();
    await rowOf(page, "To the second").waitFor();
    const { grants } = await read<{ grants: object[] }>(`/permissions/grants?steamId=${steamId}`);
    expect(grants).toEqual([expect.objectContaining({ expiresAt, reason: "To the second" })]);
  });

  it("warn about a granted permission that no server knows", async () => {
    const steamId = "76561198000000002";
    await change("POST /permissions/grants", { kind: "permission", value: "kits.event", steamId });
    const { page } = await open("moderator", `/players?steamId=${steamId}`);
    const notice = page.getByText("no server knows it yet");
    await notice.waitFor();
    expect(await notice.textContent()).toContain("kits.event");
  });

  it("show the permission drift of a server, preview a sync, and run the sync", async () => {
    await change("POST /permissions/groups", { name: "synced", permissions: ["kits.synced"] });
    const { page } = await open("admin", `/servers/${serverId}/permissions`);
    await page.getByRole("region", { name: "Not from the site" }).waitFor();
    await findButton(page, "Show what a sync would do").click();
    await page.getByRole("region", { name: "Steps of the sync" }).waitFor();
    expect(game.simulator.world.permissions.groups.has("synced")).toBe(false);
    await findButton(page, "Sync now").click();
    await waitUntil("the game has the group", () =>
      game.simulator.world.permissions.groups.has("synced"),
    );
    await page.getByText("in sync", { exact: true }).waitFor();
  });

  it("are read by a moderator, who can change nothing", async () => {
    const { page } = await open("moderator", "/grants");
    expect(await page.getByRole("button", { name: "Grant" }).count()).toBe(0);
    const group = await groupNamed("member");
    await page.goto(`${web.url}/console/survival/permissions/groups/${group?.id}`);
    await page.getByText("kits.member").waitFor();
    expect(await page.getByRole("button", { name: /Save|Delete/ }).count()).toBe(0);
  });
});

interface Zones {
  readonly presets: readonly {
    readonly id: number;
    readonly key: string;
    readonly flags: string[];
  }[];
  readonly open: readonly { readonly presetKey: string; readonly state: string }[];
}

describe("the pages of zones", () => {
  it("create a preset, and ask for a confirmation of flags that cannot be undone", async () => {
    const { page } = await open("admin", "/zones/presets/new");
    await page.getByLabel("Key", { exact: true }).fill("arena");
    await page.getByLabel("Name", { exact: true }).fill("Arena");
    await page.getByLabel("Shape", { exact: true }).selectOption("box");
    for (const side of ["Width (x)", "Height (y)", "Depth (z)"]) {
      await page.getByLabel(side).fill("40");
    }
    await page.getByLabel("Kill (cannot be undone)", { exact: true }).check();
    await findButton(page, "Create the preset").click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Arena");
    await page.getByLabel("I have chosen flags whose effects cannot be undone").check();
    await findButton(page, "Create the preset").click();
    await page.getByRole("link", { name: "Arena" }).waitFor();
    const { presets } = await read<Zones>("/zones");
    expect(presets.find(({ key }) => key === "arena")).toMatchObject({
      shape: { kind: "box", x: 40, y: 40, z: 40 },
      flags: ["Kill"],
      servers: "all",
    });
  });

  it("show both versions of a preset that two people edit", async () => {
    const { preset } = await change<{ preset: { id: number } }>("POST /zones/presets", {
      key: "park",
      name: "Park",
      shape: { kind: "sphere", radius: 50 },
    });
    const { page } = await open("admin", `/zones/presets/${preset.id}`);
    await page.getByLabel("Message for those who enter").fill("Welcome");
    await change(`PUT /zones/presets/${preset.id}`, { name: "Great park" });
    await findButton(page, "Save").click();
    await page.getByRole("region", { name: "Two versions" }).waitFor();
    await findButton(page, "Discard my version").click();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Great park");
    expect(await page.getByLabel("Message for those who enter").inputValue()).toBe("");
  });

  it("open a zone and close it", async () => {
    await change("POST /zones/presets", {
      key: "market",
      name: "Market",
      shape: { kind: "sphere", radius: 30 },
    });
    const { page } = await open("admin", "/zones");
    await findButton(page, "Open a zone").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Preset").selectOption("market");
    await dialog.getByLabel("x (east, in meters)").fill("10");
    await dialog.getByLabel("z (north, in meters)").fill("-20");
    await dialog.getByLabel("Minutes").fill("5");
    await findButton(dialog, "Open the zone").click();
    const zone = page.getByRole("region", { name: "Open zones" }).getByRole("row").nth(1);
    await zone.getByText("market").waitFor();
    expect(game.simulator.world.leases.size).toBe(1);
    await findButton(zone, "Close the zone").click();
    await findButton(page.getByRole("dialog"), "Close the zone").click();
    await page.getByText("No zone is open.").waitFor();
    expect(game.simulator.world.leases.size).toBe(0);
  });
});

const secret = "https://discord.example/api/webhooks/1/canary-webhook-token";

function configOf(plugin: string): string {
  const text = game.simulator.world.plugins.get(plugin)?.config;
  if (typeof text !== "string") throw new Error(`${plugin} has no configuration`);
  return text;
}

/** Changes a configuration in the game itself. */
function setConfig(plugin: string, text: string): void {
  const found = game.simulator.world.plugins.get(plugin);
  if (found) found.config = text;
}

describe("the pages of plugin configurations", () => {
  it("mask secrets, keep them when the file is written, and roll a write back", async () => {
    const before = configOf("Kits");
    const { page } = await open("admin", `/servers/${serverId}/config`);
    await page.getByRole("link", { name: "Kits", exact: true }).click();
    await isLoaded(page);
    const editor = page.getByLabel("Content of the file");
    const shown = await editor.inputValue();
    expect(shown).toContain("********");
    expect(await page.content()).not.toContain("canary-webhook-token");
    const typed = shown.replace('"Use UI": true', '"Use UI": false');
    await editor.fill(typed);
    await findButton(page, "Write the file").click();
    await page.getByText("The file is written, and the plugin works with it.").waitFor();
    expect(configOf("Kits")).toBe(normalizeConfigText(typed.replace("********", secret)));
    await findButton(rowOf(page, "written"), "Roll back the write").click();
    await findButton(page.getByRole("dialog"), "Roll back the write").click();
    await page.getByText("a rollback").waitFor();
    await waitUntil(
      "the game has the old file",
      () => configOf("Kits") === normalizeConfigText(before),
    );
  });

  it("show both versions if the file has changed, and lose no text", async () => {
    const { page } = await open("admin", `/servers/${serverId}/config/PlaytimeTracker`);
    const editor = page.getByLabel("Content of the file");
    const typed = (await editor.inputValue()).replace("10.0.0.7", "10.0.0.8");
    await editor.fill(typed);
    setConfig("PlaytimeTracker", configOf("PlaytimeTracker").replace('"Flags": 1', '"Flags": 2'));
    await findButton(page, "Write the file").click();
    const versions = page.getByRole("region", { name: "Two versions" });
    await versions.waitFor();
    await versions.locator("ins", { hasText: "10.0.0.8" }).waitFor();
    await versions.locator("del", { hasText: '"Flags": 2' }).waitFor();
    expect(await editor.inputValue()).toBe(typed);
    await findButton(page, "Keep my version and go on").click();
    await findButton(page, "Write the file").click();
    await page.getByText("The file is written, and the plugin works with it.").waitFor();
    expect(configOf("PlaytimeTracker")).toContain("10.0.0.8");
    expect(configOf("PlaytimeTracker")).toContain("canary-mysql-password");
  });

  it("say that the game has restored the old file, and keep the typed text", async () => {
    const before = configOf("Vanish");
    const { page } = await open("admin", `/servers/${serverId}/config/Vanish`);
    game.simulator.faults.trigger("configOutcome", { mode: "failed" });
    const typed = (await page.getByLabel("Content of the file").inputValue()).replace("10", "11");
    await page.getByLabel("Content of the file").fill(typed);
    await findButton(page, "Write the file").click();
    await page.getByText("so the game restored the old one").waitFor();
    game.simulator.faults.clear();
    expect(await page.getByLabel("Content of the file").inputValue()).toBe(typed);
    expect(configOf("Vanish")).toBe(before);
  });

  it("name the line and column at which a text is not JSON", async () => {
    const { page } = await open("admin", `/servers/${serverId}/config/Kits`);
    await page.getByLabel("Content of the file").fill('{ "Use UI": tru }');
    await findButton(page, "Write the file").click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toContain("line 1, column");
  });
});

interface Profile {
  readonly id: number;
  readonly health: number;
  readonly revision: number;
}

describe("the pages of NPCs", () => {
  it("create a profile, change it, and restore an old revision", async () => {
    const { page } = await open("admin", "/npcs/profiles/new");
    await page.getByLabel("Key", { exact: true }).fill("gate-guard");
    await page.getByLabel("Name", { exact: true }).fill("Guard");
    await page.getByLabel("Health", { exact: true }).fill("200");
    await findButton(page, "Create the profile").click();
    await page.getByRole("heading", { name: "Fields of the profile" }).waitFor();
    await page.getByLabel("Health", { exact: true }).fill("300");
    await page.getByLabel("Attacks animals").check();
    await findButton(page, "Save").click();
    await isSaved(page);
    const { profiles } = await read<{ profiles: Profile[] }>("/npcs");
    const profile = profiles[0];
    expect(profile).toMatchObject({
      key: "gate-guard",
      health: 300,
      behaviour: expect.objectContaining({ targetAnimals: true }) as unknown,
      revision: 2,
    });
    await findButton(page, "Compare").click();
    await page.getByRole("dialog").getByText("Health: 300").waitFor();
    await findButton(page.getByRole("dialog"), "Close the dialog").click();
    await findButton(page, "Restore the revision").click();
    await findButton(page.getByRole("dialog"), "Restore the revision").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.getByLabel("Health", { exact: true }).inputValue()).toBe("200");
    const { profile: restored } = await read<{ profile: Profile }>(`/npcs/profiles/${profile?.id}`);
    expect([restored.health, restored.revision]).toEqual([200, 3]);
  });

  it("show both versions of a profile that two people edit", async () => {
    const { profile } = await change<{ profile: Profile }>("POST /npcs", {
      key: "shared",
      displayName: "Shared",
    });
    const { page } = await open("admin", `/npcs/profiles/${profile.id}`);
    await page.getByLabel("Speed", { exact: true }).fill("9");
    await change(`PUT /npcs/profiles/${profile.id}`, { revision: 1, health: 999 });
    await findButton(page, "Save").click();
    const versions = page.getByRole("region", { name: "Two versions" });
    await versions.locator("del", { hasText: "Health: 999" }).waitFor();
    await findButton(page, "Keep my version and go on").click();
    await findButton(page, "Save").click();
    await isSaved(page);
    const { profile: stored } = await read<{ profile: Profile }>(`/npcs/profiles/${profile.id}`);
    expect(stored).toMatchObject({ health: 999, speed: 9 });
  });

  it("add, rename and respawn a placement, and sync it", async () => {
    const { profile } = await change<{ profile: Profile }>("POST /npcs", {
      key: "boss",
      displayName: "Boss",
    });
    const { page } = await open("admin", `/servers/${serverId}/placements`);
    await findButton(page, "Add a placement").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("gate");
    await dialog.getByLabel("Profile").selectOption("boss");
    await dialog.getByLabel("NPCs", { exact: true }).fill("2");
    await findButton(dialog, "Add the placement").click();
    await findButton(rowOf(page, "gate"), "Rename the placement").click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("harbor");
    await findButton(page.getByRole("dialog"), "Rename the placement").click();
    await rowOf(page, "harbor").waitFor();
    await findButton(page, "Sync NPCs now").click();
    await page.getByRole("region", { name: "Results of the sync" }).getByText("synced").waitFor();
    await findButton(rowOf(page, "harbor"), "Respawn the NPCs").click();
    await rowOf(page, "harbor")
      .getByText(/NPCs? spawned/)
      .waitFor();
    expect([...game.simulator.world.npcs.placements.keys()]).toContain("harbor");
    await page.goto(`${web.url}/console/survival/npcs/profiles/${profile.id}`);
    await findButton(page, "Delete the profile").click();
    await findButton(page.getByRole("dialog"), "Delete the profile").click();
    await findButton(
      page.getByRole("dialog"),
      "Delete the profile and disable the placements",
    ).click();
    await page.getByRole("heading", { name: "Profiles" }).waitFor();
    const { placements } = await read<{ placements: object[] }>(
      `/npcs/servers/${serverId}/placements`,
    );
    expect(placements).toEqual([expect.objectContaining({ name: "harbor", enabled: false })]);
  });

  it("replace the table of factions", async () => {
    const { page } = await open("admin", "/npcs/factions");
    await findButton(page, "Add an entry").click();
    const pair = page.getByRole("group", { name: "Pair of factions 1" });
    await pair.getByLabel("Faction", { exact: true }).fill("bandits");
    await pair.getByLabel("Other faction").fill("guards");
    await pair.getByLabel("Stance to each other").selectOption("hostile");
    await findButton(page, "Save").click();
    await isSaved(page);
    const { pairs } = await read<{ pairs: object[] }>("/npcs/factions");
    expect(pairs).toEqual([{ a: "bandits", b: "guards", stance: "hostile" }]);
  });
});

describe("the page of the chat", () => {
  it("changes the style of the site's messages and the title of a statistic", async () => {
    const { page } = await open("admin", "/chat");
    await page.getByLabel("Title", { exact: true }).fill("Guild");
    await page.getByLabel("Format in the chat").fill("{Title}: {Message}");
    await findButton(page, "Save").click();
    await isSaved(page);
    await findButton(page, "Change the title of Players killed").click();
    await page.getByRole("dialog").getByLabel("Title", { exact: true }).fill("The Red Hand");
    await findButton(page.getByRole("dialog"), "Save").click();
    await rowOf(page, "The Red Hand").waitFor();
    const { voice } = await read<{ voice: { title: { text: string } } }>("/voice");
    expect(voice.title.text).toBe("Guild");
  });

  it("marks the field of a chat format that lacks the message", async () => {
    const { page } = await open("admin", "/chat");
    await page.getByLabel("Format in the chat").fill("{Title}");
    await findButton(page, "Save").click();
    const field = page.locator("[aria-invalid=true]");
    await field.waitFor();
    expect(await field.getAttribute("name")).toBe("format.chat");
  });
});

describe("the page of the ledger", () => {
  it("lists the changes of one type, and keeps the filter in the address", async () => {
    await change("POST /announce", { message: "The fair begins", serverIds: [serverId] });
    const { page } = await open("admin", "/ledger");
    await page.getByLabel("Type", { exact: true }).selectOption("announce");
    const table = page.getByRole("region", { name: "Ledger" });
    await table.getByText("confirmed").first().waitFor();
    expect(new URL(page.url()).searchParams.get("what")).toBe("announce");
    await page.reload();
    await isLoaded(page);
    expect(await page.getByLabel("Type", { exact: true }).inputValue()).toBe("announce");
  });
});

const ofServer = "/servers/SERVER";

/** The addresses below `/console/survival` that staff may open. SERVER stands for the id of the server. */
const forStaff = [
  "",
  "/announce",
  "/permissions",
  "/grants",
  "/players?steamId=76561198000000001",
  ofServer,
  `${ofServer}/titles`,
  `${ofServer}/permissions`,
];

const forAdmins = [
  ...forStaff,
  "/permissions/groups/new",
  "/zones",
  "/zones/presets/new",
  "/npcs",
  "/npcs/profiles/new",
  "/npcs/factions",
  "/chat",
  "/ledger",
  `${ofServer}/settings`,
  `${ofServer}/config`,
  `${ofServer}/config/Kits`,
  `${ofServer}/placements`,
];

const toAddress = (path: string): string => path.replace("SERVER", String(serverId));

describe("each page of survival servers", () => {
  const visits = [
    ...forAdmins.map((path) => ["admin", path] as const),
    ...forStaff.map((path) => ["moderator", path] as const),
  ];
  it.each(visits)(
    "violates neither accessibility rules nor the content security policy for the role %s at the path %s",
    async (role, path) => {
      const { page, complaints } = await open(role, toAddress(path));
      expect(await violationsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  it.each(["en-GB", "de-DE"])("fits a phone 360 pixels wide in the language %s", async (locale) => {
    const { page } = await open("admin", "", locale);
    await page.setViewportSize({ width: 360, height: 700 });
    for (const path of forAdmins) {
      await page.goto(`${web.url}/console/survival${toAddress(path)}`);
      await isLoaded(page);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
  });
});
