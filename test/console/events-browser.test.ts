import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { confirm, EventTestSite, buildBroadcastStep } from "../events/stage.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import {
  findButton,
  type ConsoleSite,
  faultsOf,
  startConsoleSite,
  waitUntilPageLoaded,
} from "../support/http/console-site.ts";

let stage: EventTestSite;
let site: ConsoleSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
  site = await startConsoleSite(stage.shard.server);
});
afterEach(() => site.closePages());
afterAll(async () => {
  await site?.stop();
  await stage?.stop();
});

interface StoredEvent {
  readonly id: number;
  readonly title: string;
  readonly summary: string;
  readonly state: string;
  readonly currentVersion: number | null;
  readonly currentVersionVerifiedAt: string | null;
  readonly revision: number;
  readonly spec: {
    readonly schedule: object;
    readonly phases: readonly { readonly steps: readonly object[]; readonly advance: object }[];
  };
}

const readEvent = async (id: number) =>
  (await stage.ask<{ event: StoredEvent }>(`GET /admin/events/${id}`)).event;

let events = 0;
/** Creates an event with one broadcast, which is not published. */
async function draftEvent(more: object = {}): Promise<StoredEvent> {
  events += 1;
  const steps = [{ key: "call", ...buildBroadcastStep("Hear ye") }];
  const spec = { phases: [{ key: "one", title: "One", steps }] };
  const given = { title: `The evening ${events}`, spec, ...more };
  return (await stage.ask<{ event: StoredEvent }>("POST /admin/events", given)).event;
}

/** Changes an event as a colleague of the person who has opened it. */
const changeAsColleague = (id: number, body: object) =>
  callRoute(site.server, `PUT /admin/events/${id}`, { headers: stage.admin.headers, body });

const group = (within: Page | Locator, name: string) =>
  within.getByRole("group", { name, exact: true });

const idIn = (page: Page): number => Number(new URL(page.url()).pathname.split("/").at(-1));

async function save(page: Page): Promise<void> {
  await findButton(page, "Save").click();
  await page.getByText("You have changes that are not saved.").waitFor({ state: "detached" });
}

describe("the pages of events", () => {
  it.each([
    ["editor", "en-GB", "/console/events/series"],
    ["admin", "de-DE", "/console/events/actions"],
  ] as const)(
    "have no accessibility violation and fit a phone for the role %s in the language %s",
    async (role, locale, last) => {
      const id = await stage.publishEvent([buildBroadcastStep("Hear ye"), confirm], {
        spec: {
          params: [{ name: "boss", type: "enum", values: ["Rikktor", "Mephitis"] }],
          schedule: { kind: "recurring", at: "2026-01-03T20:00", rrule: "FREQ=DAILY" },
        },
      });
      const opened = await site.open(role, "/console/events");
      const paths = [
        "/console/events",
        "/console/events/new",
        `/console/events/${id}`,
        `/console/events/${id}?view=json`,
        "/console/events/calendar",
        last,
      ];
      const translated = await site.openAs(opened, "/console/events", locale);
      expect(await faultsOf(translated, site.web.url, paths)).toEqual([]);
      expect(translated.complaints).toEqual([]);
      expect(await translated.page.locator("html").getAttribute("lang")).toBe(locale.slice(0, 2));
    },
  );

  it("are refused to moderators, and the actions to editors", async () => {
    const opened = await site.open("moderator", "/console/events");
    expect(await opened.page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Your role does not include this page.",
    );
    const { page } = await site.open("editor", "/console/events/actions");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Your role does not include this page.",
    );
  });
});

describe("the list of events", () => {
  it("finds events by text, and shows archived ones only if the filter names them", async () => {
    const [kept, gone] = [await draftEvent(), await draftEvent()];
    await stage.ask(`DELETE /admin/events/${gone.id}`);
    const { page } = await site.open("editor", "/console/events");
    await page.getByRole("link", { name: kept.title, exact: true }).waitFor();
    expect(await page.getByRole("link", { name: gone.title, exact: true }).count()).toBe(0);
    await page.getByLabel("State").selectOption({ label: "archived" });
    await page.getByRole("link", { name: gone.title, exact: true }).waitFor();
    await page.getByLabel("Search by title").fill(kept.title);
    await page.getByText("No events found.").waitFor();
    await page.getByLabel("State").selectOption({ label: "All" });
    await page.getByRole("link", { name: kept.title, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: kept.title }).waitFor();
  });
});

describe("the form of an event", () => {
  it("stores an event that is made from the catalog", async () => {
    const { page } = await site.open("editor", "/console/events/new");
    await group(page, "Announcement").getByLabel("Title").fill("The champion evening");
    await findButton(page, "Add a step to Phase 1 (Start)").click();
    const step = group(page, "Step 1");
    await step
      .getByLabel("Action", { exact: true })
      .selectOption({ label: "Broadcast to everyone in the game" });
    await step.getByLabel("Text", { exact: true }).fill("Barracoon stirs!");
    await step.getByLabel("Color (optional)").fill("33");
    const gate = group(page, "End of the phase");
    await gate.getByLabel("The phase ends").selectOption({ label: "when something happens" });
    await gate.getByLabel("What must happen").selectOption("champ.end");
    await findButton(gate, "Add a condition").click();
    await gate.getByLabel("Variable").selectOption("outcome");
    await gate.getByLabel("Value").selectOption("defeated");
    await findButton(page, "Save").click();
    await page.waitForURL(/\/console\/events\/\d+$/);
    const stored = await readEvent(idIn(page));
    expect(stored).toMatchObject({ title: "The champion evening", state: "draft" });
    expect(stored.spec.phases).toMatchObject([
      {
        title: "Start",
        steps: [{ actionId: "shard.broadcast", params: { text: "Barracoon stirs!", hue: 33 } }],
        advance: {
          kind: "trigger",
          trigger: "champ.end",
          where: [{ var: "outcome", op: "eq", value: "defeated" }],
        },
      },
    ]);
  });

  it("shows each fault at its field, and the list of faults leads to the fields", async () => {
    const event = await draftEvent();
    const { page } = await site.open("editor", `/console/events/${event.id}`);
    await page.getByText("Step 1: Broadcast").click();
    const step = group(page, "Step 1");
    await step.getByLabel("Text", { exact: true }).fill("");
    await step.getByLabel("Attempts at most").fill("many");
    await group(page, "Phase 1 (One)").getByLabel("Key", { exact: true }).first().fill("Not a key");
    await findButton(page, "Save").click();
    const list = page.getByRole("alert", { name: "Faults" });
    await list.getByText("Check these 3 things:").waitFor();
    await list.getByRole("link", { name: /Phase 1 \(One\), step 1: text is required/i }).click();
    const field = step.getByLabel("Text", { exact: true });
    await page.locator('[name="/spec/phases/0/steps/0/params/text"]:focus').waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await step.getByText("text is required").count()).toBe(1);
    await field.fill("Hear ye again");
    await step.getByLabel("Attempts at most").fill("3");
    await group(page, "Phase 1 (One)").getByLabel("Key", { exact: true }).first().fill("first");
    await save(page);
    expect((await readEvent(event.id)).spec.phases).toMatchObject([
      { key: "first", steps: [{ params: { text: "Hear ye again" }, maxAttempts: 3 }] },
    ]);
  });

  it("keeps the typed texts of a step if its phase moves up and the phase before it is removed", async () => {
    const event = await draftEvent();
    const { page } = await site.open("editor", `/console/events/${event.id}`);
    await findButton(page, "Add a phase").click();
    await group(page, "Phase 2").getByLabel("Title").fill("The fight");
    await findButton(page, "Add a step to Phase 2 (The fight)").click();
    await page.getByLabel("Action", { exact: true }).last().selectOption("core.wait");
    await page.getByLabel("Seconds", { exact: true }).fill("30");
    await findButton(page, "Move up: Phase 2 (The fight)").click();
    await findButton(page, "Remove: Phase 2 (One)").click();
    await findButton(page.getByRole("dialog"), "Remove").click();
    expect(await page.getByLabel("Seconds", { exact: true }).inputValue()).toBe("30");
    await save(page);
    expect((await readEvent(event.id)).spec.phases).toMatchObject([
      { title: "The fight", steps: [{ actionId: "core.wait", params: { seconds: 30 } }] },
    ]);
  });

  it("shows the next dates of a schedule while it is typed", async () => {
    const event = await draftEvent({ timezone: "Europe/Berlin" });
    const { page } = await site.open("editor", `/console/events/${event.id}`);
    const schedule = group(page, "Schedule");
    await schedule.getByLabel("Takes place").selectOption({ label: "repeatedly" });
    await schedule.getByLabel("First date and time").fill("2030-01-05T20:00");
    await schedule.getByLabel("Saturday").check();
    const dates = schedule.getByRole("status");
    await dates.getByText(/Saturday,? 5 January 2030 at 20:00/).waitFor();
    expect(await dates.getByRole("listitem").count()).toBe(5);
    await save(page);
    expect((await readEvent(event.id)).spec.schedule).toMatchObject({
      kind: "recurring",
      at: "2030-01-05T20:00",
      rrule: "FREQ=WEEKLY;BYDAY=SA",
    });
  });

  it("shows the same event as JSON, and does not send a text that is not JSON", async () => {
    const event = await draftEvent();
    const { page } = await site.open("editor", `/console/events/${event.id}`);
    await findButton(page, "JSON").click();
    const text = page.getByLabel("JSON", { exact: true });
    const json = await text.inputValue();
    await text.fill(`${json} and more`);
    await findButton(page, "Save").click();
    expect(await text.getAttribute("aria-invalid")).toBe("true");
    expect(await findButton(page, "Form").isDisabled()).toBe(true);
    await text.fill(json.replace(event.title, "Written as JSON"));
    await findButton(page, "Form").click();
    const title = group(page, "Announcement").getByLabel("Title");
    expect(await title.inputValue()).toBe("Written as JSON");
    await save(page);
    expect((await readEvent(event.id)).title).toBe("Written as JSON");
  });

  it("shows both versions if somebody else saved first, and loses neither", async () => {
    const event = await draftEvent();
    const { page } = await site.open("editor", `/console/events/${event.id}`);
    await page.getByLabel("Summary").fill("Typed here");
    await changeAsColleague(event.id, { title: "Renamed by a colleague", summary: "Theirs" });
    await findButton(page, "Save").click();
    const versions = page.getByRole("region", { name: "Two versions" });
    await versions.getByText('"summary": "Typed here"').waitFor();
    await versions.getByText('"summary": "Theirs"').waitFor();
    expect(await page.getByLabel("Summary").inputValue()).toBe("Typed here");
    await findButton(versions, "Keep my version and go on").click();
    await save(page);
    expect(await readEvent(event.id)).toMatchObject({
      title: "Renamed by a colleague",
      summary: "Typed here",
    });
  });

  it("keeps a text that is typed while the new event is stored, and saves it next", async () => {
    const { page } = await site.open("editor", "/console/events/new");
    await page.getByLabel("Title").first().fill("The slow evening");
    await page.route("**/api/v1/admin/events", async (route) => {
      await page.getByLabel("Summary").fill("Typed during the request");
      await route.continue();
    });
    const created = page.waitForResponse("**/api/v1/admin/events");
    await findButton(page, "Save").click();
    await (await created).finished();
    await findButton(page, "Save").click();
    await page.waitForURL(/\/console\/events\/\d+$/);
    expect((await readEvent(idIn(page))).summary).toBe("Typed during the request");
  });

  it("keeps the focus on the button that moves a step, and on the list after a removal", async () => {
    const steps = [
      { key: "one", ...buildBroadcastStep("Hear ye") },
      { key: "two", ...buildBroadcastStep("Farewell") },
    ];
    const event = await draftEvent({ spec: { phases: [{ key: "one", title: "One", steps }] } });
    const { page } = await site.open("editor", `/console/events/${event.id}`);
    await page.getByText("Step 2: Broadcast").click();
    const up = page.locator('[aria-label^="Move up: Step 2"]');
    await up.press("Enter");
    await page.locator('[aria-label^="Move up: Step 1"][aria-disabled=true]:focus').waitFor();
    await page.locator('[aria-label^="Remove: Step 1"]').press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
    await page.locator('[data-place="/spec/phases/0/steps"]:focus').waitFor();
    await save(page);
    expect((await readEvent(event.id)).spec.phases).toMatchObject([{ steps: [{ key: "one" }] }]);
  });

  it("sends what was typed after a sign-in if the session has ended", async () => {
    const event = await draftEvent();
    const opened = await site.open("editor", `/console/events/${event.id}`);
    const { page, userId, password } = opened;
    await page.getByLabel("Summary").fill("Typed before the end");
    const { headers } = stage.admin;
    await callRoute(site.server, `POST /admin/users/${userId}/sessions/revoke`, { headers });
    await findButton(page, "Save").click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("You have changes that are not saved.").waitFor({ state: "detached" });
    expect((await readEvent(event.id)).summary).toBe("Typed before the end");
  });
});

describe("the publication of an event", () => {
  it("also verifies the new version, so that scheduled runs can start", async () => {
    const event = await draftEvent();
    const { page } = await site.open("admin", `/console/events/${event.id}`);
    await findButton(page, "Publish the event").click();
    const dialog = page.getByRole("dialog", { name: "Publish the event" });
    await dialog.getByText("This creates version 1").waitFor();
    await dialog.getByText("The verification found no errors.").waitFor();
    await findButton(dialog, "Publish the event").click();
    await page.getByText("The stored event is the published one.").waitFor();
    await page.getByText("no: scheduled runs do not start").waitFor({ state: "detached" });
    const stored = await readEvent(event.id);
    expect([stored.currentVersion, stored.currentVersionVerifiedAt]).toEqual([
      1,
      expect.any(String),
    ]);
  });

  it("is refused if somebody else changed the event meanwhile, and the dialog shows the change", async () => {
    const event = await draftEvent();
    const { page } = await site.open("admin", `/console/events/${event.id}`);
    await findButton(page, "Publish the event").click();
    const dialog = page.getByRole("dialog", { name: "Publish the event" });
    await dialog.getByText("The verification found no errors.").waitFor();
    await changeAsColleague(event.id, { title: "Renamed meanwhile" });
    await findButton(dialog, "Publish the event").click();
    await dialog.getByText("Somebody else saved the event").waitFor();
    await dialog.getByText('"title": "Renamed meanwhile"').waitFor();
    expect((await readEvent(event.id)).currentVersion).toBeNull();
    await findButton(dialog, "Publish the event").click();
    await page.getByRole("heading", { level: 1, name: "Renamed meanwhile" }).waitFor();
    await page.getByText("The stored event is the published one.").waitFor();
    expect((await readEvent(event.id)).currentVersion).toBe(1);
  });

  it("is not offered to editors, who see the findings of a dry run at their fields", async () => {
    await stage.enable("shard.champion.start", false);
    const steps = [
      { key: "spawn", actionId: "shard.champion.start", params: { id: "0x40001A2B" } },
    ];
    const event = await draftEvent({ spec: { phases: [{ key: "one", title: "One", steps }] } });
    const { page } = await site.open("editor", `/console/events/${event.id}`);
    await findButton(page, "Verify the stored event").click();
    await page.getByText("The verification found errors.").waitFor();
    const list = page.getByRole("alert", { name: "Faults" });
    await list.getByRole("link", { name: "shard.champion.start is switched off" }).click();
    const action = group(page, "Step 1").getByLabel("Action", { exact: true });
    expect(await action.getAttribute("aria-invalid")).toBe("true");
    expect(await findButton(page, "Publish the event").count()).toBe(0);
  });

  it("ends when an administrator archives the event", async () => {
    const event = await draftEvent();
    const { page } = await site.open("admin", `/console/events/${event.id}`);
    await findButton(page, "Archive the event").click();
    const dialog = page.getByRole("dialog", { name: "Archive the event" });
    await dialog.getByText("This cannot be undone.").waitFor();
    await findButton(dialog, "Archive the event").click();
    await page.getByText("This event is archived.").waitFor();
    expect((await readEvent(event.id)).state).toBe("archived");
    expect(await page.getByLabel("Summary").isDisabled()).toBe(true);
  });
});

describe("the calendar of events", () => {
  it("shows the runs and dates of a month, and leads to their pages", async () => {
    const id = await stage.publishEvent([buildBroadcastStep("Hear ye")], {
      title: "The yearly fair",
      spec: { schedule: { kind: "recurring", at: "2031-05-10T20:00", rrule: "FREQ=YEARLY" } },
    });
    const { page } = await site.open("editor", "/console/events/calendar?month=2031-04");
    await waitUntilPageLoaded(page);
    const fair = page.getByRole("link", { name: "The yearly fair" });
    expect(await fair.count()).toBe(0);
    await findButton(page, "May 2031").click();
    await fair.click();
    await page.getByRole("heading", { level: 1, name: "The yearly fair" }).waitFor();
    expect(idIn(page)).toBe(id);
  });
});

describe("the series of events", () => {
  it("are created, changed and deleted", async () => {
    const { page } = await site.open("editor", "/console/events/series");
    await findButton(page, "New series").click();
    const dialog = page.getByRole("dialog", { name: "New series" });
    await dialog.getByLabel("Name", { exact: true }).fill("Winter season");
    await page.keyboard.press("Enter");
    await page.getByText("winter-season").waitFor();
    await page
      .getByRole("row", { name: /Winter season/ })
      .getByRole("button", { name: "Change" })
      .click();
    const change = page.getByRole("dialog", { name: "Change Winter season" });
    await change.getByLabel("Slug").fill("Not a slug");
    await findButton(change, "Save").click();
    await change.locator("[aria-invalid=true]").waitFor();
    await change.getByLabel("Slug").fill("winter");
    await findButton(change, "Save").click();
    await page.getByText("winter", { exact: true }).waitFor();
    await page
      .getByRole("row", { name: /Winter season/ })
      .getByRole("button", { name: "Delete" })
      .click();
    const ask = page.getByRole("dialog", { name: "Delete Winter season" });
    await findButton(ask, "Delete").click();
    await page.getByText("There is no series.").waitFor();
    expect(await stage.ask("GET /admin/events/series")).toEqual({ series: [] });
  });
});

describe("the actions of events", () => {
  it("are switched on with a cap by an administrator", async () => {
    await stage.enable("shard.champion.stop", false, {});
    const { page } = await site.open("admin", "/console/events/actions");
    const row = page.getByRole("row", { name: /shard\.champion\.stop/ });
    await row.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("This action changes a game.").waitFor();
    await dialog.getByLabel("Steps can run the action").check();
    await dialog.getByLabel("Most champions of one run").fill("2");
    await findButton(dialog, "Save").click();
    await row.getByText("champions: 2").waitFor();
    const { actions } = await stage.ask<{
      actions: { id: string; enabled: boolean; caps: object }[];
    }>("GET /admin/events/actions");
    expect(actions.find(({ id }) => id === "shard.champion.stop")).toMatchObject({
      enabled: true,
      caps: { champions: 2 },
    });
  });

  it("are no longer shown to a person whose role was taken away", async () => {
    const { page, userId, password } = await site.open("admin", "/console/events/actions");
    const user = await signIn(site.server, { role: "admin" });
    const body = { role: "player" };
    await callRoute(site.server, `PATCH /admin/users/${userId}`, { headers: user.headers, body });
    await page.getByRole("button", { name: "Change" }).first().click();
    await findButton(page.getByRole("dialog"), "Save").click();
    await page.getByRole("dialog", { name: "Sign in again" }).getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("The console is for administrators").waitFor();
    expect(await page.getByRole("row").count()).toBe(0);
  });
});
