import { hostname } from "node:os";

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

import type { Role } from "../../shared/auth/roles.ts";
import { version } from "../../shared/version.ts";
import { smallWorld } from "../simulator/world/sizes.ts";
import { startBrowser } from "../support/browser.ts";
import { type LinkedShard, startLinkedShard } from "../support/linked-shard.ts";
import type { OwnProcess } from "../support/own-process.ts";
import { faintTexts, listenForComplaints, overflowOf } from "../support/page-checks.ts";
import { type ApiProcess, startApiProcess, startProgram } from "../support/processes.ts";
import { createTestUser, type SignedIn, signIn } from "../support/sign-in.ts";
import { until } from "../support/wait.ts";

jest.setTimeout(90_000);

const texts = 6_000;

let shard: LinkedShard;
let web: ApiProcess;
let worker: OwnProcess;
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

/** Signs in, unless nobody does, and opens the page. */
async function open(role: Role | null, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = await listenForComplaints(page);
  if (role) {
    const { username, password } = await createTestUser(shard.server, { role });
    const data = { username, password };
    const answer = await context.request.post(`${web.url}/api/v1/auth/login`, { data });
    if (!answer.ok()) throw new Error(`login answered ${answer.status()}`);
  }
  const response = await page.goto(`${web.url}/api/queues`);
  return { page, complaints, status: response?.status() ?? 0 };
}

/** Starts an import by the API. @returns its job */
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

/** Each page of the shard's table takes this long from now on. */
const slowDown = (ms: number) =>
  shard.simulator.faults.trigger("slow", { path: "/v1/clilocs/entries", times: 1_000, ms });

const run = (sql: string) => shard.server.context.sequelize.query(sql);

const section = (page: Page, name: string): Locator => page.getByRole("region", { name });
/** Waits until the cells of a row read so, with ` | ` between them. */
async function untilRow(page: Page, table: string, head: string, cells: RegExp): Promise<void> {
  const row = section(page, table)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: head, exact: true }) })
    .first();
  let read = "";
  await until(
    () => `${head} reads ${read}, and not as ${cells}`,
    async () => {
      read = (await row.getByRole("cell").allTextContents()).join(" | ");
      return cells.test(read);
    },
  );
}

const clilocs = "imports.clilocs";
const nothingRuns = "Nothing runs right now.";

describe("the page of the queues in an administrator's browser", () => {
  it("follows an import to its end, and says what came of it", async () => {
    const { page, complaints } = await open("admin");
    await section(page, "Running").getByText(nothingRuns).waitFor();
    await untilRow(page, "Queues", clilocs, /^0 \| – \| 0 \| 0 \| 0 \| 1 \| –$/);
    const facts = `imports | ${hostname()} | ${version}`.replaceAll(/[.|]/g, String.raw`\$&`);
    const process = new RegExp(`^${facts} \\| \\d+ s \\| \\d+ s ago$`);
    await untilRow(page, "Processes", `worker ${worker.pid}`, process);
    slowDown(500);
    await startImport();
    const bar = section(page, "Running").getByRole("progressbar", {
      name: new RegExp(`^texts: \\d+ of ${texts}$`),
    });
    await bar.waitFor();
    const done = async () => Number(await bar.getAttribute("value"));
    const first = await done();
    await until("the bar has moved", async () => (await done()) > first);
    expect(await bar.getAttribute("max")).toBe(`${texts}`);
    await untilRow(page, "Queues", clilocs, /^0 \| – \| 1 \| 0 \| 0 \| 1 \| –$/);
    shard.simulator.faults.clear();
    await section(page, "Running").getByText(nothingRuns).waitFor();
    await untilRow(page, "Finished", clilocs, /^imported \| \d+ s \| \d+ s ago$/);
    await untilRow(page, "Queues", clilocs, /^0 \| – \| 0 \| 0 \| 1 \| 1 \| –$/);
    expect(complaints).toEqual([]);
  });

  it("says why an import could not be made, and why one failed, which it tries again", async () => {
    const { page, complaints } = await open("admin");
    await run("update shardlink set enabled = false");
    await startImport();
    const refused = section(page, "Finished").getByRole("cell", {
      name: "unavailable: No path is set, and the link to the shard is off",
    });
    await refused.waitFor();
    await run("update shardlink set enabled = true");
    await run(
      "alter table imported_sources add constraint broken check (kind <> 'clilocs') not valid",
    );
    const jobId = await startImport();
    const failed = section(page, "Failed").getByRole("article");
    await failed.getByText('violates check constraint "broken"').waitFor();
    expect(await failed.textContent()).toContain(`attempt 2 · ${jobId}`);
    await run("alter table imported_sources drop constraint broken");
    await failed.getByRole("button", { name: `Try again ${clilocs}` }).click();
    await section(page, "Failed").getByText("Nothing has failed.").waitFor();
    await until("it is done", async () => (await stateOf(jobId)) === "completed");
    expect(complaints).toEqual([]);
  });

  it("takes an import back, from the keyboard too, whatever is refreshed meanwhile", async () => {
    const { page, complaints } = await open("admin");
    slowDown(1_000);
    const jobId = await startImport();
    const button = section(page, "Running").getByRole("button", { name: `Cancel ${clilocs}` });
    await button.focus();
    for (const times of [1, 2]) {
      const shown = await page.locator("#state").textContent();
      const isNewer = async () => (await page.locator("#state").textContent()) !== shown;
      await until(`refresh ${times}`, isNewer);
    }
    await page.keyboard.press("Enter");
    await section(page, "Running").getByText(nothingRuns).waitFor();
    expect(await stateOf(jobId)).toBe("cancelled");
    expect(complaints).toEqual([]);
  });

  it("is readable by day and by night, and fits a telephone as well as a desk", async () => {
    const queue = "shard.prune-events";
    const failing = await shard.server.context.queue.enqueue(queue, {});
    await run(`update pgboss.job set state = 'failed', started_on = now(), output = '{"message": "It broke"}'
      where id = '${failing}'`);
    slowDown(2_000);
    const jobId = await startImport();
    for (const [colorScheme, width] of looks) {
      const { page, complaints } = await open("admin", {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await section(page, "Running").getByRole("progressbar").waitFor();
      await section(page, "Failed").getByText("It broke").waitFor();
      const found = {
        overflow: await overflowOf(page),
        faint: await faintTexts(page),
        headings: await page.getByRole("heading").allTextContents(),
        tables: await page.getByRole("table").count(),
        heads: await page.getByRole("columnheader").allTextContents(),
        complaints,
      };
      expect(found).toEqual({
        overflow: 0,
        faint: [],
        headings: [
          "Queues",
          "Running",
          clilocs,
          "Queues",
          "Failed",
          queue,
          "Finished",
          "Processes",
        ],
        tables: 3,
        heads,
        complaints: [],
      });
    }
    await shard.as(admin, `POST /admin/jobs/${jobId}/cancel`);
    await run(`delete from pgboss.job where id = '${failing}'`);
  });

  it("says that it is not up to date once the session has ended, and goes on after a new one", async () => {
    const { page } = await open("admin");
    await page.getByText(/^As of /).waitFor();
    const context = page.context();
    const cookies = await context.cookies();
    await context.clearCookies();
    const fault = page.getByRole("alert");
    await fault.getByText("Not up to date: Not authenticated").waitFor();
    expect(await page.locator("#state").textContent()).toBe("");
    await context.addCookies(cookies);
    await page.getByText(/^As of /).waitFor();
    expect(await fault.textContent()).toBe("");
  });
});

const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [360, 1_280].map((width) => [colorScheme, width] as const),
);

const heads = [
  ["Queue", "Waiting", "Oldest", "Active", "Failed", "Done, last hour", "Workers"],
  ["Runs by itself (UTC)"],
  ["Queue", "Outcome", "Took", "Ended"],
  ["Process", "Works", "Host", "Version", "Up for", "Last seen"],
].flat();

describe("the page of the queues in anybody else's browser", () => {
  it.each([
    [null, 401, "Not authenticated"],
    ["player", 403, "Admin role required"],
    ["moderator", 403, "Admin role required"],
  ] as const)("shows %s a refusal and nothing of the queues", async (role, status, error) => {
    const opened = await open(role);
    expect(opened.status).toBe(status);
    expect(await opened.page.locator("body").textContent()).toBe(JSON.stringify({ error }));
  });
});
