import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startBrowser } from "../support/http/browser.ts";
import { ContentTestSite } from "./desk.ts";
import { hostileTexts } from "./hostile-texts.ts";

let desk: ContentTestSite;
let browser: Browser;
let page: Page;
/** The requests to other servers that the page sent. */
const asked: string[] = [];
const said: string[] = [];

/** The address of a page without a content security policy, like that of an old web app. */
const site = "http://localhost:9/shown";
const isOwn = (url: string): boolean => url.startsWith("http://localhost:9/");

beforeAll(async () => {
  desk = await ContentTestSite.open();
  browser = await startBrowser();
  page = await browser.newPage();
  await page.exposeFunction("caught", (what: string) => said.push(what));
  await page.addInitScript(
    "for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = () => caught(name)",
  );
  page.on("dialog", (dialog) => {
    said.push(dialog.message());
    void dialog.dismiss();
  });
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === site) return route.fulfill({ contentType: "text/html", body: shown });
    if (!isOwn(url)) asked.push(url);
    return route.abort();
  });
});
afterAll(async () => {
  await browser?.close();
  await desk?.stop();
});

let shown = "";

declare const document: {
  querySelectorAll(selector: string): Iterable<{
    readonly href: string;
    readonly tagName: string;
    getAttributeNames(): string[];
    dispatchEvent(event: unknown): void;
    click(): void;
    focus(): void;
  }>;
};
declare const Event: new (name: string, options: object) => unknown;

/**
 * Dispatches each kind of event to each element of the page. Links to other sites are not followed.
 */
const touchEverything = () =>
  page.evaluate(() => {
    for (const element of document.querySelectorAll("main *")) {
      for (const name of [
        "mouseover",
        "mouseenter",
        "focus",
        "click",
        "load",
        "error",
        "toggle",
        "animationstart",
      ]) {
        element.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }));
      }
      if (/^(?:javascript|data|vbscript|blob):/i.test(element.href)) element.click();
    }
  });

const show = async (html: string): Promise<void> => {
  shown = `<!doctype html><title>x</title><main>${html}</main>`;
  await page.goto(site);
  await touchEverything();
};

const rendered = async (body: string): Promise<string> => {
  const answered = await desk.ask("POST /admin/content/preview", { body });
  return (answered.body as { html: string }).html;
};

/**
 * Returns attributes that the renderer never creates, and links that lead to anything but websites
 * and mailboxes.
 */
const readOddities = (): Promise<string[]> =>
  page.evaluate(() => {
    const known = /^(?:id|href|title|rel|src|alt|loading|start|align|class)$/;
    return [...document.querySelectorAll("main *")].flatMap((element) => {
      const attributes = element.getAttributeNames().filter((name) => !known.test(name));
      const isOdd = element.href !== undefined && !/^(?:(?:https?|mailto):|$)/.test(element.href);
      return isOdd ? [...attributes, element.href] : attributes;
    });
  });

describe("a hostile text", () => {
  it("is one of at least 150 different texts that this test lists", () => {
    expect(new Set(hostileTexts).size).toBeGreaterThanOrEqual(150);
  });

  it("runs its script and loads its image if it is inserted as HTML, and the test page detects both", async () => {
    await show("<img src=x onerror=alert(1)><img src='http://evil.test/x.png'>");
    await page.waitForTimeout(50);
    expect(said).toContain("alert");
    expect(asked).toContain("http://evil.test/x.png");
    said.length = 0;
    asked.length = 0;
  });

  it("runs no script, loads nothing and has no unsafe link once it is rendered", async () => {
    for (const text of hostileTexts) {
      await show(await rendered(text));
      expect({ text, said: [...said], asked: [...asked], odd: await readOddities() }).toEqual({
        text,
        said: [],
        asked: [],
        odd: [],
      });
    }
    // Wait long enough for a delayed script or request.
    await page.waitForTimeout(500);
    expect({ said, asked }).toEqual({ said: [], asked: [] });
  });
});
