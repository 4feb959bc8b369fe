import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { startSurvivalSimulator, type SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { requireDescribedBodies } from "../support/bridge/described-bodies.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { buildSteamLink } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import { type ConsoleSite, faultsOf, startConsoleSite } from "../support/http/console-site.ts";
import {
  bert,
  formDataOf,
  formOf,
  makeReportKey,
  sendForm,
} from "../support/survival/game-reports.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";

let site: ConsoleSite;
let simulator: SurvivalSimulator;
let colleague: SignedIn;
let emberfall: SurvivalServer;
let key: string;

beforeAll(async () => {
  site = await startConsoleSite();
  simulator = await startSurvivalSimulator({ world: "small", ticking: false });
  colleague = await signIn(site.server, { role: "moderator" });
});
afterEach(() => site.closePages());
afterAll(async () => {
  await site.stop();
  await simulator.stop();
  requireDescribedBodies("rust", simulator.received.commands);
});
beforeEach(async () => {
  await deleteAll(site.server, "SurvivalServer", "SteamLink");
  simulator.world.bans.clear();
  simulator.faults.clear();
  emberfall = await linkSurvivalServer(site.server, simulator, { name: "Emberfall" });
  key = await makeReportKey(site.server, emberfall.id, site.admin);
});

/** Sends a report as the game does. @returns its id */
async function report(...given: Parameters<typeof formDataOf>): Promise<number> {
  await sendForm(site.server, key, formOf(formDataOf(...given)));
  const { body } = await site.as("GET /admin/survival/reports");
  return (body as { reports: { id: number }[] }).reports[0]?.id ?? 0;
}

const stored = async (id: number) => {
  const { body } = await site.as(`GET /admin/survival/reports/${id}`);
  return (body as { report: { state: string; note: string | null } }).report;
};

const pathOf = (id: number) => `/console/reports/${id}`;

describe("the pages of reports", () => {
  it.each([
    ["moderator", "en-GB"],
    ["admin", "de-DE"],
  ] as const)(
    "have no accessibility violation and fit a phone for the role %s in the language %s",
    async (role, locale) => {
      const id = await report({ subject: "a-long-subject-without-a-space-".repeat(3) });
      simulator.world.bans.set(bert.steamId, { name: "Bert", reason: "Aimbot", expiresAt: null });
      const opened = await site.open(role, "/console", locale);
      const paths = ["/console/reports", pathOf(id), "/console/reports/bans"];
      expect(await faultsOf(opened, site.web.url, paths)).toEqual([]);
      expect(opened.complaints).toEqual([]);
    },
  );

  it("are refused to editors", async () => {
    const { page } = await site.open("editor", "/console/reports");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Your role does not include this page.",
    );
  });
});

describe("the list of reports", () => {
  it("shows only the reports in the selected state, and keeps the state in the address", async () => {
    const first = await report({ subject: "the oldest" });
    await site.as(`POST /admin/survival/reports/${first}/seen`);
    for (let at = 0; at < 3; at += 1) await report({ subject: `open ${at}` });
    const { page } = await site.open("moderator", "/console/reports");
    await page.getByRole("link", { name: "open 2" }).waitFor();
    await page.getByLabel("State").selectOption("seen");
    await page.getByRole("link", { name: "open 2" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "the oldest" }).waitFor();
    expect(new URL(page.url()).searchParams.get("state")).toBe("seen");
  });
});

describe("a report", () => {
  it("is marked as seen, closed with a note and opened again", async () => {
    const id = await report();
    const { page } = await site.open("moderator", pathOf(id));
    await page.getByRole("button", { name: "Mark as seen" }).click();
    await page.getByRole("button", { name: "Mark as seen" }).waitFor({ state: "detached" });
    expect((await stored(id)).state).toBe("seen");
    await page.getByLabel("Note for staff").fill("Banned for a week.");
    await page.getByRole("button", { name: "Close the report" }).click();
    await page.getByText("Banned for a week.").waitFor();
    expect(await stored(id)).toMatchObject({ state: "closed", note: "Banned for a week." });
    await page.getByRole("button", { name: "Open the report again" }).click();
    await page.getByRole("button", { name: "Mark as seen" }).waitFor();
    expect((await stored(id)).state).toBe("open");
  });

  it("keeps the typed note if somebody else closes it meanwhile", async () => {
    const id = await report();
    const { page } = await site.open("moderator", pathOf(id));
    await page.getByLabel("Note for staff").fill("A typed note");
    const { headers } = colleague;
    const body = { note: "Nothing to see." };
    await callRoute(site.server, `POST /admin/survival/reports/${id}/close`, { headers, body });
    await page.getByRole("button", { name: "Close the report" }).click();
    await page.getByText(`${colleague.username} closed this report meanwhile`).waitFor();
    expect(await page.getByLabel("Note for staff").inputValue()).toBe("A typed note");
    expect((await stored(id)).note).toBe("Nothing to see.");
  });

  it("cannot be handled by a staff member whom it is about, and the page says why", async () => {
    const id = await report();
    const admin = await signIn(site.server, { role: "admin" });
    await buildSteamLink(site.server, { userId: admin.userId, steamId: bert.steamId });
    const { page } = await site.openAs(admin, pathOf(id));
    await page.getByRole("button", { name: "Mark as seen" }).click();
    await page.getByText("another member of staff must do it").waitFor();
    expect((await stored(id)).state).toBe("open");
  });

  it("lets staff ban the reported player and lift the ban", async () => {
    const id = await report();
    const { page } = await site.open("moderator", pathOf(id));
    const form = page.getByRole("form", { name: "Kick or ban Bert" });
    await form.getByLabel("Reason").fill("Flying");
    await form.getByRole("button", { name: "Ban" }).click();
    await page.getByText("Bert is banned until").waitFor();
    expect(simulator.world.bans.get(bert.steamId)?.reason).toBe("Flying");
    await page.getByRole("button", { name: "Lift the ban" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Lift the ban" }).click();
    await page.getByText("The ban of Bert has been lifted.").waitFor();
    expect(simulator.world.bans.has(bert.steamId)).toBe(false);
  });

  it("leads to only one ban, even if the first answer is lost and the ban is sent again", async () => {
    const id = await report();
    const { page } = await site.open("moderator", pathOf(id));
    simulator.faults.trigger("cut", { path: "/v1/players/ban" });
    const before = simulator.received.commands.length;
    const form = page.getByRole("form", { name: "Kick or ban Bert" });
    await form.getByLabel("Reason").fill("Flying");
    await form.getByRole("button", { name: "Ban" }).click();
    await page.getByText("it is carried out only once").waitFor();
    await form.getByRole("button", { name: "Ban" }).click();
    await page.getByText("Bert is banned until").waitFor();
    const sent = simulator.received.commands.slice(before);
    expect(new Set(sent.map(({ key: sentKey }) => sentKey)).size).toBe(1);
    expect(sent.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });
});

describe("the bans of a server", () => {
  it("are listed and lifted, and a player is banned by the Steam id", async () => {
    const { page } = await site.open("moderator", "/console/reports/bans");
    await page.getByText("Nobody is banned on this server.").waitFor();
    await page.getByRole("textbox", { name: "Steam id" }).fill(bert.steamId);
    await page.getByRole("button", { name: "Continue" }).click();
    const form = page.getByRole("form", { name: `Kick or ban ${bert.steamId}` });
    await form.getByLabel("Length of the ban").selectOption({ label: "permanent" });
    await form.getByLabel("Reason").fill("Aimbot");
    await form.getByRole("button", { name: "Ban" }).click();
    const row = page.getByRole("row").filter({ hasText: "Aimbot" });
    await row.waitFor();
    expect(simulator.world.bans.get(bert.steamId)?.expiresAt).toBeNull();
    await row.getByRole("button", { name: "Lift the ban" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Lift the ban" }).click();
    await page.getByText("Nobody is banned on this server.").waitFor();
    expect(simulator.world.bans.size).toBe(0);
  });
});
