import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { EventTestSite } from "../events/stage.ts";
import { findButton, type ConsoleSite, startConsoleSite } from "../support/http/console-site.ts";

let stage: EventTestSite;
let site: ConsoleSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
  site = await startConsoleSite(stage.shard.server);
  await stage.enable("shard.broadcast", true, { broadcasts: 5 });
});
afterAll(async () => {
  await site?.stop();
  await stage?.stop();
});

/** Adds a step to a phase and chooses its action. @returns the fields of the step */
async function addStep(page: Page, phase: string, action: string): Promise<Locator> {
  await findButton(page, `Add a step to ${phase}`).click();
  const fields = page
    .getByRole("group", { name: phase, exact: true })
    .getByRole("group", { name: "Step 1", exact: true });
  await fields.getByLabel("Action", { exact: true }).selectOption(action);
  return fields;
}

async function addPhase(page: Page, number: number, title: string): Promise<void> {
  await findButton(page, "Add a phase").click();
  const phase = page.getByRole("group", { name: `Phase ${number}`, exact: true });
  await phase.getByLabel("Title").fill(title);
}

async function writeEvent(page: Page): Promise<void> {
  const announcement = page.getByRole("group", { name: "Announcement", exact: true });
  await announcement.getByLabel("Title").fill("The siege");
  const call = await addStep(page, "Phase 1 (Start)", "shard.broadcast");
  await call.getByLabel("Text", { exact: true }).fill("The gates are closing!");
  await addPhase(page, 2, "The fight");
  const fight = await addStep(page, "Phase 2 (The fight)", "core.confirm");
  await fight.getByLabel("Message (optional)").fill("Has the captain fallen?");
  await addPhase(page, 3, "The end");
  const end = await addStep(page, "Phase 3 (The end)", "shard.broadcast");
  await end.getByLabel("Text", { exact: true }).fill("The siege is over.");
  await findButton(page, "Save").click();
  await page.waitForURL(/\/console\/events\/\d+$/);
}

describe("an event of three phases", () => {
  it("is written, published and run in the console, and its page shows the end", async () => {
    const { page, complaints } = await site.open("admin", "/console/events/new");
    await writeEvent(page);
    await findButton(page, "Publish the event").click();
    const dialog = page.getByRole("dialog", { name: "Publish the event" });
    await dialog.getByText("The verification found no errors.").waitFor();
    await findButton(dialog, "Publish the event").click();
    await page.getByText("The stored event is the published one.").waitFor();
    await findButton(page, "Start a run").click();
    await findButton(page.getByRole("dialog", { name: "Start a run" }), "Start the run").click();
    await page.waitForURL(/\/console\/runs\/\d+$/);
    await page.getByText("Live: changes appear immediately.").waitFor();
    await stage.runDueSteps();
    await page.getByText("One step waits for a person.").waitFor();
    await findButton(page, /^Confirm: step/).click();
    const confirmation = page.getByRole("dialog", { name: /^Confirm: step/ });
    await findButton(confirmation, /^Confirm: step/).click();
    await confirmation.waitFor({ state: "detached" });
    await stage.runDueSteps();
    await page.getByRole("region", { name: "Log" }).getByText("completed").waitFor();
    const runId = Number(new URL(page.url()).pathname.split("/").at(-1));
    const { run, steps } = await stage.read(runId);
    expect([run.status, steps.map(({ status }) => status)]).toEqual([
      "completed",
      ["succeeded", "succeeded", "succeeded"],
    ]);
    expect(complaints).toEqual([]);
  });
});
