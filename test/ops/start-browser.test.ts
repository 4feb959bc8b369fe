import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { startBrowser } from "../support/browser.ts";
import { Launcher } from "./launcher.ts";

describe("npm run demo, in a browser", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-start-"));
  let demo: Launcher;

  beforeAll(async () => {
    demo = new Launcher({ folder, arguments: ["--demo"] });
    await demo.ready();
  });

  afterAll(async () => {
    await demo?.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  it("shows live events on a page of another origin", async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
      await page.goto(demo.shown("Live events, as a page"));
      await page.waitForSelector("#events li", { timeout: 60_000 });
      expect(await page.textContent("#state")).toBe("connected");
      expect(await page.textContent("#shard")).toMatch(/^connected, \d+ online$/);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
