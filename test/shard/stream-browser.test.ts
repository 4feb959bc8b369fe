import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { alreadySentAnswer } from "../../api/http/answer.ts";
import { defineRoute } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { startBrowser } from "../support/http/browser.ts";
import type { TestServer, TestServerOptions } from "../support/service/server.ts";
import { storeEvents } from "../support/shard/shard-events.ts";
import {
  buildBroadcast,
  closeStreamsAfterEach,
  flushStream,
  followLiveStream,
  paths,
  staffOnly,
  startAnother,
} from "./stream-clients.ts";

closeStreamsAfterEach();

/** An event that the page's EventSource received. */
interface Heard {
  readonly name: string;
  readonly data: string | undefined;
  readonly lastEventId: string;
}

/** The window of the page, with the variables that `watch` sets. */
declare const window: { readonly source: EventSource; readonly heard: readonly Heard[] };

/** A page at the same origin, from which scripts may connect to the stream. */
const page = defineRoute({
  method: "get",
  path: "/test/page",
  gate: "public",
  set: "core",
  tag: "Shard",
  summary: "An empty page",
  answers: { 200: { mediaType: "text/html" } },
  handle: ({ response }) => {
    response.removeHeader("Content-Security-Policy");
    response.type("html").send("<!doctype html><title>stream</title>");
    return alreadySentAnswer;
  },
});

const start = (options: TestServerOptions = {}) =>
  startAnother({ ...options, routes: [...routes, page] });

/** Returns one line per event, for example `error`, `hello 3`, `bye full` or `3 text`. */
const linesOf = (heard: readonly Heard[]): string[] =>
  heard.map(({ name, data, lastEventId }) => {
    if (data === undefined) return name;
    const { reason, payload } = JSON.parse(data) as {
      readonly reason?: string;
      readonly payload?: { readonly text?: string };
    };
    if (name === "message") return `${lastEventId} ${payload?.text}`;
    return `${name} ${reason ?? lastEventId}`;
  });

const told = async (opened: Page): Promise<string[]> =>
  linesOf(await opened.evaluate(() => window.heard));

const readyState = (opened: Page) => opened.evaluate(() => window.source.readyState);

const untilTold = (opened: Page, what: string, times = 1) =>
  waitUntil(what, async () => {
    const lines = await told(opened);
    return lines.filter((line) => line.startsWith(what)).length >= times;
  });

describe("an EventSource in a browser", () => {
  let browser: Browser;
  const pages: Page[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    for (const opened of pages.splice(0)) await opened.close();
  });
  afterAll(() => browser?.close());

  /** Opens the public stream in a page. The page records the events. */
  async function watch(server: TestServer, query = ""): Promise<Page> {
    const opened = await browser.newPage();
    pages.push(opened);
    await opened.goto(`${server.url}/test/page`);
    await opened.evaluate((url) => {
      const source = new EventSource(url);
      const heard: Heard[] = [];
      for (const name of ["message", "hello", "reset", "bye", "error"]) {
        source.addEventListener(name, (event) => {
          const { data, lastEventId } = event as unknown as Heard;
          heard.push({ name, data, lastEventId });
        });
      }
      Object.assign(window, { source, heard });
    }, paths.public + query);
    return opened;
  }

  it("resumes on its own, without a gap or a repetition, after every connection was cut", async () => {
    const server = await start();
    const opened = await watch(server);
    await untilTold(opened, "hello");
    const [one] = await storeEvents(server, [buildBroadcast("one")]);
    await untilTold(opened, `${one} one`);
    server.cutConnections();
    const [two, , three] = await storeEvents(server, [
      buildBroadcast("two"),
      staffOnly,
      buildBroadcast("three"),
    ]);
    await untilTold(opened, `${three} three`);
    const [four] = await storeEvents(server, [buildBroadcast("four")]);
    await untilTold(opened, `${four} four`);
    expect(await told(opened)).toEqual([
      "hello 0",
      `${one} one`,
      "error",
      `hello ${one}`,
      `${two} two`,
      `${three} three`,
      `${four} four`,
    ]);
  });

  it("updates its position from a block without data, so that it can resume a quiet stream", async () => {
    const server = await start({ streams: { heartbeatMs: 20 } });
    const opened = await watch(server);
    const otherStream = await followLiveStream(server, "public");
    await untilTold(opened, "hello");
    const [hidden] = await storeEvents(server, [staffOnly]);
    await otherStream.waitFor(({ id, data }) => id === hidden && data === undefined);
    server.cutConnections();
    await untilTold(opened, "hello", 2);
    expect(await told(opened)).toEqual(["hello 0", "error", `hello ${hidden}`]);
  });

  it("receives a reset if its position is unknown", async () => {
    const server = await start();
    const opened = await watch(server, "?lastEventId=17");
    await untilTold(opened, "reset");
    expect(await told(opened)).toEqual(["hello 0", "reset unknown"]);
  });

  it("reconnects after a stopping process has sent a bye block", async () => {
    const server = await start();
    const opened = await watch(server);
    await untilTold(opened, "hello");
    await server.context.streams.stop();
    await untilTold(opened, "bye draining", 2);
    expect((await told(opened)).slice(0, 4)).toEqual([
      "hello 0",
      "bye draining",
      "error",
      "bye draining",
    ]);
    expect(await readyState(opened)).not.toBe(2);
  });

  it("waits and retries while the server accepts no more streams", async () => {
    const server = await start({ environment: { SSE_MAX: "1" } });
    const first = await followLiveStream(server, "public");
    const opened = await watch(server);
    await untilTold(opened, "error");
    expect(await told(opened)).toEqual(["bye full", "error"]);
    expect(await readyState(opened)).toBe(0);
    await flushStream(server, first);
  });
});
