import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { confirm, EventTestSite, buildBroadcastStep } from "../events/stage.ts";
import {
  findButton,
  type ConsoleSite,
  faultsOf,
  startConsoleSite,
} from "../support/http/console-site.ts";

let stage: EventTestSite;
let site: ConsoleSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
  site = await startConsoleSite(stage.shard.server);
  await stage.enable("shard.broadcast", true, { broadcasts: 5 });
});
afterEach(() => site.closePages());
afterAll(async () => {
  await site?.stop();
  await stage?.stop();
});

/** Starts a run that broadcasts and then waits for a person. */
async function waitingRun(): Promise<number> {
  const id = await stage.publishEvent([
    buildBroadcastStep("Hear ye"),
    confirm,
    buildBroadcastStep("Farewell"),
  ]);
  const runId = await stage.startEvent(id);
  await stage.runDueSteps();
  return runId;
}

/** Opens the page of a run and waits until it follows the stream. */
async function openRun(runId: number, role: "admin" | "editor" = "editor"): Promise<Page> {
  const { page } = await site.open(role, `/console/runs/${runId}`);
  await page.getByText("Live: changes appear immediately.").waitFor();
  return page;
}

const statusOf = async (runId: number) => (await stage.read(runId)).run.status;

describe("the pages of runs", () => {
  it.each([
    ["editor", "en-GB"],
    ["admin", "de-DE"],
  ] as const)(
    "have no accessibility violation and fit a phone for the role %s in the language %s",
    async (role, locale) => {
      const runId = await waitingRun();
      const opened = await site.open(role, "/console/runs", locale);
      const paths = ["/console/runs", `/console/runs/${runId}`];
      expect(await faultsOf(opened, site.web.url, paths)).toEqual([]);
      expect(opened.complaints).toEqual([]);
    },
  );
});

describe("the list of runs", () => {
  it("shows the runs of one event, updates their state live, and filters them by state", async () => {
    const id = await stage.publishEvent([confirm], { title: "Only one run" });
    const runId = await stage.startEvent(id);
    const { page } = await site.open("editor", `/console/runs?event=${id}`);
    await page
      .getByRole("row", { name: /Only one run/ })
      .getByText("running")
      .waitFor();
    await stage.ask(`POST /admin/events/runs/${runId}/pause`, {});
    await page
      .getByRole("row", { name: /Only one run/ })
      .getByText("paused")
      .waitFor();
    await page.getByLabel("State").selectOption("completed");
    await page.getByText("No runs found.").waitFor();
    expect(await page.getByRole("row").count()).toBe(0);
  });
});

describe("a run", () => {
  it("starts from the page of its event, and its page shows it live until its end", async () => {
    const id = await stage.publishEvent([buildBroadcastStep("Hear ye"), confirm]);
    const { page } = await site.open("editor", `/console/events/${id}`);
    await findButton(page, "Start a run").click();
    await findButton(page.getByRole("dialog", { name: "Start a run" }), "Start the run").click();
    await page.waitForURL(/\/console\/runs\/\d+$/);
    const runId = Number(new URL(page.url()).pathname.split("/").at(-1));
    await page.getByText("Live: changes appear immediately.").waitFor();
    await stage.runDueSteps();
    await page.getByText("One step waits for a person.").waitFor();
    await page.getByText("1 of 5").waitFor();
    await findButton(page, "Confirm: step one 2").click();
    const dialog = page.getByRole("dialog", { name: "Confirm: step one 2" });
    await dialog.getByLabel("Reason").fill("Everybody is there");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await stage.runDueSteps();
    await page.getByRole("region", { name: "Log" }).getByText("completed").waitFor();
    await page.getByText("Everybody is there").waitFor();
    expect(await statusOf(runId)).toBe("completed");
    expect(await findButton(page, "Cancel the run").count()).toBe(0);
  });

  it("can be scheduled as a rehearsal with the parameters that the dialog asks for", async () => {
    const id = await stage.publishEvent([buildBroadcastStep("{{boss}} stirs")], {
      spec: { params: [{ name: "boss", type: "string", required: true }] },
    });
    const { page } = await site.open("editor", `/console/events/${id}`);
    await findButton(page, "Start a run").click();
    const dialog = page.getByRole("dialog", { name: "Start a run" });
    await dialog.getByLabel("Date and time").fill("2035-01-05T20:00");
    await dialog.getByLabel("Rehearsal").check();
    await findButton(dialog, "Start the run").click();
    await dialog.locator("[name='params.boss'][aria-invalid=true]").waitFor();
    await dialog.getByLabel("boss").fill("Rikktor");
    await findButton(dialog, "Start the run").click();
    await page.getByText("boss: Rikktor").waitFor();
    const { runs } = await stage.ask<{ runs: object[] }>(
      `GET /admin/events/runs?definitionId=${id}`,
    );
    expect(runs).toMatchObject([
      { rehearsal: true, status: "scheduled", params: { boss: "Rikktor" } },
    ]);
  });

  it("is paused with a reason, resumed and canceled", async () => {
    const runId = await waitingRun();
    const page = await openRun(runId);
    await findButton(page, "Pause the run").click();
    await page.getByRole("dialog").getByLabel("Reason").fill("The moongate is blocked");
    await findButton(page.getByRole("dialog"), "Pause the run").click();
    await findButton(page, "Resume the run").waitFor();
    await page.getByText("The moongate is blocked").waitFor();
    expect(await statusOf(runId)).toBe("paused");
    await findButton(page, "Resume the run").click();
    await findButton(page.getByRole("dialog"), "Resume the run").click();
    await findButton(page, "Pause the run").waitFor();
    expect(await statusOf(runId)).toBe("running");
    await findButton(page, "Cancel the run").click();
    await findButton(page.getByRole("dialog"), "Cancel the run").click();
    await findButton(page, "Cancel the run").waitFor({ state: "detached" });
    expect(await statusOf(runId)).toBe("cancelled");
  });

  it("that changes while a dialog is open is described in the dialog, and the typed reason stays", async () => {
    const runId = await waitingRun();
    const page = await openRun(runId);
    await findButton(page, "Cancel the run").click();
    const dialog = page.getByRole("dialog", { name: "Cancel the run" });
    await dialog.getByLabel("Reason").fill("Nobody came");
    await stage.ask(`POST /admin/events/runs/${runId}/pause`, {});
    await dialog.getByText("It was: running, phase one, version 1. It is now: paused").waitFor();
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("Nobody came");
    await findButton(dialog, "Cancel the run").click();
    await dialog.waitFor({ state: "detached" });
    expect(await statusOf(runId)).toBe("cancelled");
  });

  it("that ends while a dialog is open cannot be paused by the dialog", async () => {
    const runId = await waitingRun();
    const page = await openRun(runId);
    await findButton(page, "Pause the run").click();
    const dialog = page.getByRole("dialog", { name: "Pause the run" });
    await stage.ask(`POST /admin/events/runs/${runId}/cancel`, {});
    await dialog.getByText("Nothing was done: this is no longer possible.").waitFor();
    expect(await findButton(dialog, "Pause the run").count()).toBe(0);
    expect(await statusOf(runId)).toBe("cancelled");
  });

  it("that changed after the page displayed it is not canceled before the user has seen the change", async () => {
    const runId = await waitingRun();
    const page = await openRun(runId);
    // Pause the run between the click and the arrival of the click's request.
    await page.route(
      "**/cancel",
      async (route) => {
        await stage.ask(`POST /admin/events/runs/${runId}/pause`, {});
        await route.continue();
      },
      { times: 1 },
    );
    await findButton(page, "Cancel the run").click();
    const dialog = page.getByRole("dialog", { name: "Cancel the run" });
    await findButton(dialog, "Cancel the run").click();
    await dialog.getByText("It is now: paused").waitFor();
    expect(await statusOf(runId)).toBe("paused");
    await findButton(dialog, "Cancel the run").click();
    await dialog.waitFor({ state: "detached" });
    expect(await statusOf(runId)).toBe("cancelled");
  });

  it("lets staff retry a failed step, and skip the step after it fails again", async () => {
    const failing = { actionId: "site.post", params: { postId: 999_999 }, onFailure: "park" };
    const id = await stage.publishEvent([failing, { ...failing }, confirm]);
    const runId = await stage.startEvent(id);
    await stage.runDueSteps();
    const page = await openRun(runId);
    await findButton(page, "Retry: step one 1").click();
    await findButton(page.getByRole("dialog"), "Retry: step one 1").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await stage.runDueSteps();
    await page.getByText("waits for a person, 2 attempts").waitFor();
    await findButton(page, "Skip: step one 1").click();
    await findButton(page.getByRole("dialog"), "Skip: step one 1").click();
    await page.getByRole("region", { name: "Steps" }).getByText("skipped, 2 attempts").waitFor();
    const [first] = (await stage.read(runId)).steps;
    expect(first?.status).toBe("skipped");
  });
});
