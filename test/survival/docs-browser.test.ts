import { readFileSync } from "node:fs";
import path from "node:path";

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { startBrowser } from "../support/http/browser.ts";
import { collectPageErrors, overflowOf } from "../support/http/page-checks.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly tags: readonly string[]; summary: string }>>>
  >;
}

const described = JSON.parse(
  readFileSync(path.join(projectFolder, "api/openapi.json"), "utf8"),
) as Readonly<Record<"core" | "additive", Described>>;

const sets = { core: "Core", additive: "Additive" } as const;
type Set = keyof typeof sets;
const chapters = ["Survival", "Survival staff"] as const;

/** Returns the summaries of all operations in a chapter. */
const summariesOf = (set: Set, chapter: string): string[] =>
  Object.values(described[set].paths)
    .flatMap((operations) => Object.values(operations))
    .filter(({ tags }) => tags?.includes(chapter))
    .map(({ summary }) => summary);

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startTestServer();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Takes a screenshot. If SCREENSHOTS names a folder, the screenshot is saved there. */
function paint(section: Locator, name: string): Promise<Buffer> {
  const folder = process.env["SCREENSHOTS"];
  return section.screenshot(folder ? { path: path.join(folder, `${name}.png`) } : {});
}

/** Reads the height of a picture from the header of the PNG. */
const heightOf = (picture: Buffer): number => picture.readUInt32BE(20);

const sectionOf = (page: Page, chapter: string): Locator =>
  page.locator(`.opblock-tag-section:has(#operations-tag-${chapter.replace(" ", "_")})`);

describe("the survival part of the API description in a browser", () => {
  it.each(
    (Object.keys(sets) as Set[]).flatMap((set) =>
      chapters.map((chapter) => ({ set, chapter, title: sets[set] })),
    ),
  )(
    "shows each operation of $chapter in $title, and nothing wider than the window",
    async ({ set, chapter }) => {
      const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
      const complaints = await collectPageErrors(page);
      await page.goto(`${server.url}/api/docs`);
      await page.getByRole("combobox").first().selectOption({ label: sets[set] });
      const section = sectionOf(page, chapter);
      await section.locator(".opblock-tag").click();
      const wanted = summariesOf(set, chapter);
      await section
        .locator(".opblock")
        .nth(wanted.length - 1)
        .waitFor();
      const shown = await section.locator(".opblock-summary-description").allTextContents();
      expect(shown.map(withoutFullStop).toSorted()).toEqual(wanted.map(withoutFullStop).toSorted());
      expect(await overflowOf(page)).toBe(0);
      const closed = await paint(section, `${set} ${chapter}`);
      await section.locator(".opblock-summary-control").first().click();
      await section.locator(".opblock-body .responses-wrapper").first().waitFor();
      const open = await paint(section, `${set} ${chapter}, one open`);
      expect(heightOf(open)).toBeGreaterThan(heightOf(closed) + 200);
      expect(await overflowOf(page)).toBe(0);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});

const withoutFullStop = (text: string): string => text.trim().replace(/\.$/, "");
