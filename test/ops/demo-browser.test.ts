import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { kinds } from "../../shared/shard/kinds/kinds.ts";
import { samples } from "../shard/samples.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { startBrowser } from "../support/http/browser.ts";
import {
  findLowContrastTexts,
  collectPageErrors,
  overflowOf,
} from "../support/http/page-checks.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { ChildProgram } from "../support/service/own-process.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

/** A module of the demo's page. It is plain JavaScript, which the compiler does not check. */
const sentences: string = "../demo/page/sentences.js";

let shard: LinkedShard;
let ingest: TestIngest;
let server: ChildProgram;
let browser: Browser;
let url: string;

beforeAll(async () => {
  const port = await takeFreePort();
  url = `http://127.0.0.1:${port}`;
  shard = await startLinkedShard({ server: { environment: { ALLOWED_ORIGINS: url } } });
  ingest = await startTestIngest(shard.server.context);
  server = new ChildProgram({
    name: "page",
    file: "test/demo/serve-page.ts",
    arguments: [`--host=127.0.0.1`, `--port=${port}`, `--api=${shard.server.url}`],
    environment: {},
    readyAt: `${url}/`,
  });
  await server.start();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await ingest?.stop();
  await shard?.stop();
});

async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = await collectPageErrors(page);
  const lost: string[] = [];
  page.on("response", (answer) => answer.status() >= 400 && lost.push(answer.url()));
  await page.goto(url);
  return { page, complaints, lost };
}

const cry = (words: string) =>
  shard.simulator.emit("world.broadcast", { text: words, hue: 0, access: "Player" });

const recent = async () =>
  ((await (await fetch(`${url}/recent.json`)).json()) as { payload: { text?: string } }[]).map(
    ({ payload }) => payload.text,
  );

describe("the live event page of the demo", () => {
  it("shows the last twenty events, each as a sentence, and then new events", async () => {
    for (let number = 1; number <= 25; number++) cry(`News ${number}`);
    await waitUntil("its server has them", async () => (await recent()).at(-1) === "News 25");
    const { page, complaints, lost } = await open();
    const words = page.locator("main #events .words");
    await words.nth(19).waitFor();
    const last = Array.from(
      { length: 20 },
      (_, index) => `Cried out to everyone: “News ${25 - index}”`,
    );
    expect(await words.allTextContents()).toEqual(last);
    await page.getByText("connected", { exact: true }).waitFor();
    cry("News 26");
    await words.getByText("News 26").waitFor();
    expect(await words.count()).toBe(21);
    const raw = page.locator("#events details").first();
    expect(await raw.locator("pre").isVisible()).toBe(false);
    await raw.locator("summary").click();
    expect(JSON.parse((await raw.locator("pre").textContent()) ?? "")).toMatchObject({
      text: "News 26",
    });
    expect({ complaints, lost }).toEqual({ complaints: [], lost: [] });
  });

  it("stacks its rows in a narrow window, is readable in light and dark mode, and has an icon", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [380, 1_280]) {
        const { page } = await open({ colorScheme, viewport: { width, height: 800 } });
        await page.locator("#events .words").nth(10).waitFor();
        await page.locator("#events summary").first().click();
        const row = page.locator("#events li").first();
        const [time, words] = [
          await row.locator("time").boundingBox(),
          await row.locator(".words").boundingBox(),
        ];
        expect({
          isStacked: (words?.y ?? 0) >= (time?.y ?? 0) + (time?.height ?? 0),
          overflow: await overflowOf(page),
          faint: await findLowContrastTexts(page),
          mains: await page.getByRole("main").count(),
        }).toEqual({ isStacked: width < 600, overflow: 0, faint: [], mains: 1 });
      }
    }
    const icon = await fetch(`${url}/favicon.ico`);
    expect([icon.status, icon.headers.get("content-type")]).toEqual([
      200,
      "image/svg+xml; charset=utf-8",
    ]);
  });

  it("has a sentence for every public event kind, even with an empty payload", async () => {
    const { sentenceOf } = (await import(sentences)) as {
      sentenceOf: (event: { kind: string; payload: object }) => string;
    };
    const told = Object.entries(kinds)
      .filter(([, { feature }]) => feature !== null)
      .flatMap(([kind]) => [
        [kind, sentenceOf({ kind, payload: samples[kind as keyof typeof samples] })],
        [kind, sentenceOf({ kind, payload: {} })],
      ]);
    expect(told.length).toBeGreaterThan(50);
    const isGood = (words = "") =>
      /^\S.*[.”]$/.test(words) && !/undefined|null|NaN|Something new/.test(words);
    expect(told.filter(([, words]) => !isGood(words))).toEqual([]);
  });
});
