import { hostname } from "node:os";

import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { Role } from "../../models/auth/user.ts";
import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { version } from "../../shared/platform/process/version.ts";
import { smallWorld } from "../simulator/world/sizes.ts";
import { codeOf, createEnrolledUser, forgetSteps } from "../support/accounts/second-factor.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { buildImportRun } from "../support/factories/ops.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { startBrowser } from "../support/http/browser.ts";
import {
  findLowContrastTexts,
  collectPageErrors,
  overflowOf,
} from "../support/http/page-checks.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { type ApiProcess, startApiProcess, startProgram } from "../support/service/processes.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

const texts = 6_000;

let shard: LinkedShard;
let web: ApiProcess;
let worker: ChildProgram;
let browser: Browser;
let admin: SignedIn;

beforeAll(async () => {
  shard = await startLinkedShard({ simulator: { world: { ...smallWorld, clilocs: texts } } });
  const { server } = shard;
  admin = await signIn(server, { role: "admin" });
  web = await startApiProcess(server.database);
  worker = await startProgram("worker", { database: server.database, arguments: ["imports"] });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await web?.stop();
  await shard?.stop();
});
afterEach(async () => {
  shard.simulator.faults.clear();
  for (const context of browser.contexts()) await context.close();
});

interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly status: number;
}

/** Opens the page as a user with this role, or without a session for null. */
async function open(role: Role | null, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = await collectPageErrors(page);
  if (role) {
    const { username, password } = await createTestUser(shard.server, { role });
    const data = { username, password };
    const answer = await context.request.post(`${web.url}/api/v1/auth/login`, { data });
    if (!answer.ok()) throw new Error(`login answered ${answer.status()}`);
  }
  const response = await page.goto(`${web.url}/api/queues`);
  return { page, complaints, status: response?.status() ?? 0 };
}

/** Starts an import over the API. @returns the id of its job */
async function startImport(): Promise<string> {
  const { status, body } = await shard.as(admin, "POST /admin/shard/clilocs/import", {
    headers: { prefer: "respond-async" },
    body: { force: true },
  });
  expect(status).toBe(202);
  return (body as { jobId: string }).jobId;
}

const stateOf = async (jobId: string): Promise<string> => {
  const { body } = await shard.as(admin, `GET /admin/jobs/${jobId}`);
  return (body as { job: { state: string } }).job.state;
};

/** Makes the shard delay each page of the imported table. */
const slowDown = (ms: number) =>
  shard.simulator.faults.trigger("slow", { path: "/v1/clilocs/entries", times: 1_000, ms });

const section = (page: Page, name: string): Locator => page.getByRole("region", { name });
/** Waits until the cells of a table row match. The texts of the cells are joined by ` | `. */
async function untilRow(page: Page, table: string, head: string, cells: RegExp): Promise<void> {
  const row = section(page, table)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: head, exact: true }) })
    .first();
  let read = "";
  await waitUntil(
    () => `${head} reads ${read}, and not as ${cells}`,
    async () => {
      read = (await row.getByRole("cell").allTextContents()).join(" | ");
      return cells.test(read);
    },
  );
}

const clilocs = "imports.clilocs";
const nothingRuns = "Nothing runs right now.";
/** The forms in which the page writes how long ago something was. */
const ago = String.raw`(?:now|\d+ (?:second|minute)s? ago)`;
const stateOfPage = (page: Page): Locator => page.getByText(/^As of /);

describe("the queue page in an administrator's browser", () => {
  it("follows an import to its end and shows its result", async () => {
    const { page, complaints } = await open("admin");
    await section(page, "Running").getByText(nothingRuns).waitFor();
    await untilRow(page, "All queues", clilocs, /^0 \| 0 \| – \| 0 \| 0 \| 0 \| 1 \| – \| Pause$/);
    const facts = `imports | ${hostname()} | ${version}`.replaceAll(/[.|]/g, String.raw`\$&`);
    const process = new RegExp(`^${facts} \\| \\d+ \\w+ \\| ${ago}$`);
    await untilRow(page, "Processes", `worker ${worker.pid}`, process);
    slowDown(500);
    await startImport();
    const bar = section(page, "Running").getByRole("progressbar", {
      name: /^texts: [\d,]+ of 6,000$/,
    });
    await bar.waitFor();
    const done = async () => Number(await bar.getAttribute("value"));
    const first = await done();
    await waitUntil("the bar has moved", async () => (await done()) > first);
    expect(await bar.getAttribute("max")).toBe(`${texts}`);
    await untilRow(page, "All queues", clilocs, /^0 \| 0 \| – \| 1 \| 0 \| 0 \| 1 \| – \| Pause$/);
    shard.simulator.faults.clear();
    await section(page, "Running").getByText(nothingRuns).waitFor();
    await untilRow(page, "Finished", clilocs, new RegExp(`^imported \\| \\d+ \\w+ \\| ${ago}$`));
    await untilRow(page, "All queues", clilocs, /^0 \| 0 \| – \| 0 \| 0 \| 1 \| 1 \| – \| Pause$/);
    expect(complaints).toEqual([]);
  });

  it("shows why an import was refused or failed, and can retry it", async () => {
    const { page, complaints } = await open("admin");
    await changeSidecarLink(shard.server, { enabled: false });
    await startImport();
    const refused = section(page, "Finished").getByRole("cell", {
      name: "unavailable: No path is set, and the link to the shard is off",
    });
    await refused.waitFor();
    await changeSidecarLink(shard.server, { enabled: true });
    await query(
      shard.server,
      "alter table imported_sources add constraint broken check (kind <> 'clilocs') not valid",
    );
    const jobId = await startImport();
    const failed = section(page, "Failed").locator(`[data-job="${jobId}"]`);
    await section(page, "Failed").getByText('violates check constraint "broken"').first().waitFor();
    expect(await failed.textContent()).toContain(`attempt 2 of 2 · ${jobId}`);
    await failed.getByText("Details").click();
    const facts = await failed.locator("dl").innerText();
    expect(facts).toMatch(/Arguments\s+\{\s+"force": true\s+\}/);
    expect(facts).toMatch(/check constraint "broken"[^]*[Ss]tack[^]*\n\s+at /);
    await query(shard.server, "alter table imported_sources drop constraint broken");
    await failed.getByRole("button", { name: `Try again ${clilocs}` }).click();
    await section(page, "Failed").getByText("Nothing has failed.").waitFor();
    await waitUntil("it is done", async () => (await stateOf(jobId)) === "completed");
    expect(complaints).toEqual([]);
  });

  it("cancels an import by keyboard, although the page refreshes while the button has the focus", async () => {
    const { page, complaints } = await open("admin");
    slowDown(1_000);
    const jobId = await startImport();
    const button = section(page, "Running").getByRole("button", { name: `Cancel ${clilocs}` });
    await button.focus();
    for (const times of [1, 2]) {
      const shown = await stateOfPage(page).textContent();
      const isNewer = async () => (await stateOfPage(page).textContent()) !== shown;
      await waitUntil(`refresh ${times}`, isNewer);
    }
    await page.keyboard.press("Enter");
    await section(page, "Running").getByText(nothingRuns).waitFor();
    expect(await stateOf(jobId)).toBe("cancelled");
    expect(complaints).toEqual([]);
  });

  it("is readable in light and dark mode, on a phone and on a desktop", async () => {
    const queue = "shard.prune-events";
    const cancelled = "ops.prune-processes";
    await query(shard.server, "delete from pgboss.job where state in ('failed', 'cancelled')");
    const { queue: jobs } = shard.server.context;
    for (const key of ["one", "two"]) {
      const failing = await jobs.enqueue(queue, {}, { key });
      await query(
        shard.server,
        `update pgboss.job set state = 'failed', started_on = now(), completed_on = now(),
        output = '{"message": "It broke", "stack": "Error: It broke\\n    at work (file.ts:1:1)"}'
        where id = '${failing}'`,
      );
    }
    const retrying = await jobs.enqueue("auth.send-mail", { letter: "reset", userId: 1 });
    await query(
      shard.server,
      `update pgboss.job set state = 'retry', started_on = now(), retry_count = 1,
      start_after = now() + interval '5 minutes', output = '{"message": "ECONNREFUSED"}'
      where id = '${retrying}'`,
    );
    const taken = await jobs.enqueue(cancelled, {});
    await query(
      shard.server,
      `update pgboss.job set state = 'cancelled', completed_on = now() where id = '${taken}'`,
    );
    // The import must take longer than three refreshes of the page on a busy machine.
    slowDown(8_000);
    const jobId = await startImport();
    for (const [colorScheme, width] of looks) {
      const { page, complaints } = await open("admin", {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await section(page, "Running").getByRole("progressbar").waitFor();
      await section(page, "Failed").getByText("It broke").first().waitFor();
      await section(page, "Failed").getByText("2 jobs").click();
      await section(page, "Failed").getByText("Details").first().click();
      const found = {
        overflow: await overflowOf(page),
        faint: await findLowContrastTexts(page),
        headings: await page.getByRole("heading").allTextContents(),
        tables: await page.getByRole("table").count(),
        heads: await page.getByRole("columnheader").allTextContents(),
        complaints,
      };
      expect(found).toEqual({
        overflow: 0,
        faint: [],
        headings: [
          ["Queues", "Failed", queue, "Retrying", "auth.send-mail"],
          ["Running", clilocs, "All queues", "Canceled", cancelled, "Finished", "Processes"],
        ].flat(),
        tables: 3,
        heads,
        complaints: [],
      });
    }
    await shard.as(admin, `POST /admin/jobs/${jobId}/cancel`);
    await query(shard.server, "delete from pgboss.job where state <> 'active'");
  });

  it("asks to sign in again once the session has ended, and shows an error if the user declines", async () => {
    const { page } = await open("admin");
    await stateOfPage(page).waitFor();
    const context = page.context();
    const cookies = await context.cookies();
    await context.clearCookies();
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("The page could not be updated.").waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("Not authenticated");
    expect(await stateOfPage(page).count()).toBe(0);
    await context.addCookies(cookies);
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await stateOfPage(page).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [360, 1_280].map((width) => [colorScheme, width] as const),
);

const heads = [
  ["Queue", "Waiting", "Retrying", "Oldest", "Active", "Failed", "Done, last hour", "Workers"],
  ["Schedule (UTC)", "Taking jobs"],
  ["Queue", "Outcome", "Took", "Ended"],
  ["Process", "Works", "Host", "Version", "Up for", "Last seen"],
].flat();

describe("the controls of the queue page", () => {
  const queue = "auth.send-mail";

  /** Inserts failed mails with two different errors. One error occurs three times. */
  async function failMails(): Promise<void> {
    await query(shard.server, "delete from pgboss.job where state = 'failed'");
    for (const message of ["No route", "No route", "No route", "Refused"]) {
      const id = await shard.server.context.queue.enqueue(queue, { letter: "reset", userId: 1 });
      await query(
        shard.server,
        `update pgboss.job set state = 'failed', started_on = now(), completed_on = clock_timestamp(),
        retry_count = 5, retry_limit = 5, output = '{"message": "${message}"}' where id = '${id}'`,
      );
    }
  }
  const failedJobs = async () => {
    const { body } = await shard.as(admin, `GET /admin/jobs?state=failed&queue=${queue}`);
    return (body as { jobs: unknown[] }).jobs.length;
  };

  it("group equal failures, retry them together, and discard them after a confirmation", async () => {
    await failMails();
    const { page, complaints } = await open("admin");
    const failed = section(page, "Failed");
    await failed.getByText("4 failed jobs").waitFor();
    const words = await failed.locator("[data-group] > .bad").allTextContents();
    expect(words.map((text) => text.trim())).toEqual(["Refused", "3 × No route"]);
    await failed.getByRole("button", { name: `Try all of ${queue} again` }).click();
    await failed.getByText("Nothing has failed.").waitFor();
    const retrying = section(page, "Retrying");
    await retrying.getByText("No route").first().waitFor();
    await query(shard.server, "delete from pgboss.job where state = 'retry'");
    await failMails();
    const discard = failed.getByRole("button", { name: `Discard all failed jobs of ${queue}` });
    const dialog = page.getByRole("dialog");
    await discard.click();
    await dialog.getByText("They cannot be restored.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await failedJobs()).toBe(4);
    await discard.click();
    await dialog.getByRole("button", { name: "Discard all" }).click();
    await failed.getByText("Nothing has failed.").waitFor();
    expect(await failedJobs()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("pause and resume a queue by keyboard and keep the focus", async () => {
    const { page, complaints } = await open("admin");
    await page.getByRole("button", { name: `Pause ${clilocs}` }).focus();
    await page.keyboard.press("Enter");
    const resume = page.getByRole("button", { name: `Resume ${clilocs}` });
    await resume.waitFor();
    await page.getByText(new RegExp(`^Paused ${ago} by `)).waitFor();
    await waitUntil("the focus is on it", () =>
      resume.evaluate((element) => element.matches(":focus")),
    );
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Pause ${clilocs}` }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("start an approved import when the administrator approves a review", async () => {
    const asking = await buildImportRun(shard.server, {
      kind: "clilocs",
      askedAt: clockNowPlus(60_000),
      result: { status: "needsReview", reason: "Overlays are missing: custom.enu" },
      finishedAt: clockNow(),
    });
    const { page, complaints } = await open("admin");
    const review = section(page, "Waiting for your approval");
    await review.getByText("Overlays are missing: custom.enu").waitFor();
    await asking.update({ askedAt: clockNowPlus(-1_000) });
    await review.getByRole("button", { name: "Approve the import of clilocs" }).click();
    const question = page.getByRole("dialog");
    await question.getByText("The import runs again").waitFor();
    await question.getByRole("button", { name: "Approve", exact: true }).click();
    await review.waitFor({ state: "hidden" });
    const { ImportRun } = shard.server.context.models;
    const newest = await ImportRun.findOne({ order: [["askedAt", "desc"]] });
    expect(newest?.flags).toEqual({ approve: true });
    // The page reads the flags of the job, which the built import does not have.
    expect(complaints.filter((text) => !/404 .*\/admin\/jobs\/[\da-f-]+$/.test(text))).toEqual([]);
  });

  it("show the progress of a job in bytes with readable units", async () => {
    const { page } = await open("admin");
    await section(page, "Running").getByText(nothingRuns).waitFor();
    const words = await page.evaluate(`Promise.all([
      import("/console/files/parts/job-progress.ts"),
      import("/console/files/parts/format.ts"),
    ]).then(([{ describeProgress }, { formatBytes }]) => [
      describeProgress({ phase: "files", done: 1_234_567, total: 48_000_000, unit: "bytes" }),
      describeProgress({ phase: "texts", done: 3, total: 60, unit: "entries" }),
      describeProgress({ phase: "files", done: 999, total: null, unit: "bytes" }),
      describeProgress({ phase: "names", done: 0, total: null, unit: "entries" }),
      formatBytes(0), formatBytes(123_456_789)])`);
    expect(words).toEqual([
      "files: 1.2 MB of 48 MB",
      "texts: 3 of 60",
      "files: 999 bytes",
      "names",
      "0 bytes",
      "123.5 MB",
    ]);
  });
});

describe("the queue page in any other browser", () => {
  const form = (page: Page) => page.getByRole("form", { name: "Sign in" });
  const fill = async (page: Page, username: string, password: string) => {
    await form(page).getByLabel("Username").fill(username);
    await form(page).getByLabel("Password").fill(password);
    await form(page).getByRole("button", { name: "Sign in" }).click();
  };

  it.each([
    [null, 401, "Username"],
    ["player", 403, "The console is for administrators"],
    ["moderator", 403, "Your role does not include this page."],
  ] as const)(
    "shows no data of the queues to %s, and says what to do",
    async (role, status, words) => {
      for (const [colorScheme, width] of looks) {
        const { page, ...opened } = await open(role, {
          colorScheme,
          viewport: { width, height: 800 },
        });
        expect(opened.status).toBe(status);
        await page.getByText(words).waitFor();
        expect(await page.getByRole("table").count()).toBe(0);
        expect({
          overflow: await overflowOf(page),
          faint: await findLowContrastTexts(page),
        }).toEqual({
          overflow: 0,
          faint: [],
        });
      }
    },
  );

  it("signs an administrator in by name, password and second factor, and out again", async () => {
    const enrolled = await createEnrolledUser({ ...shard.server, url: web.url }, { role: "admin" });
    await forgetSteps(shard.server, enrolled.userId);
    const { page } = await open(null);
    await fill(page, enrolled.username, "not the password");
    await page.getByRole("alert").getByText("Invalid").waitFor();
    await fill(page, enrolled.username, enrolled.password);
    await page.getByLabel("Code of your authenticator app").fill(codeOf(enrolled.secret));
    await page.keyboard.press("Enter");
    await stateOfPage(page).waitFor();
    await section(page, "All queues").waitFor();
    expect(await page.getByText(enrolled.username).count()).toBe(1);
    await page.getByRole("button", { name: "Sign out" }).click();
    await form(page).waitFor();
  });

  it("answers programs with 401 as JSON, like every other route", async () => {
    const response = await fetch(`${web.url}/api/queues`);
    expect([response.status, await response.json()]).toEqual([401, { error: "Not authenticated" }]);
  });
});
