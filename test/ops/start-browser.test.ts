import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startBrowser } from "../support/http/browser.ts";
import { Launcher } from "./launcher.ts";

describe("npm run demo in a browser", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-start-"));
  let demo: Launcher;
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
    demo = new Launcher({ folder, arguments: ["--demo"] });
    await demo.ready();
  });

  afterAll(async () => {
    await browser?.close();
    await demo?.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  it("shows live events on a page of another origin", async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
    await page.goto(demo.shown("Live events, as a page"));
    await page.waitForSelector("#events li");
    expect(await page.textContent("#state")).toBe("connected");
    expect(await page.textContent("#shard")).toMatch(/^connected, \d+ online$/);
    expect(complaints).toEqual([]);
  });

  it("signs the user in with the account chosen at the identity provider, and with none if the user declines", async () => {
    const begin = async () => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(demo.shown("Sign in at a provider"));
      await page.getByRole("link", { name: "Sign in with Harbour ID" }).click();
      await page.getByRole("heading", { name: "Harbour ID" }).waitFor();
      return page;
    };
    for (const account of ["admin", "editor", "moderator", "player"]) {
      const page = await begin();
      await page.getByRole("link", { name: `Sign in as ${account}` }).click();
      await page.getByRole("button", { name: "Unlink Harbour ID" }).waitFor();
      expect([page.url(), await page.textContent("#who")]).toEqual([
        demo.shown("Sign in at a provider"),
        `Signed in as ${account} (${account}).`,
      ]);
    }
    const page = await begin();
    await page.getByRole("link", { name: "Decline" }).click();
    await page.getByText("You declined at the provider.").waitFor();
    expect(await page.textContent("#who")).toBe("Nobody is signed in.");
  });
});
