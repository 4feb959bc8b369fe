import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startBrowser } from "../support/http/browser.ts";
import { collectPageErrors } from "../support/http/page-checks.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

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

describe("the page of the API description in a browser", () => {
  it.each(["/api/docs", "/api/docs/"])(
    "lists the core and additive operations at the address %s",
    async (path) => {
      const page = await browser.newPage();
      const complaints = await collectPageErrors(page);
      await page.goto(server.url + path);
      await page.locator("#operations-tag-Auth").click();
      await page.locator("#operations-Auth-postAuthLogin").waitFor();
      await page.getByRole("combobox").first().selectOption({ label: "Additive" });
      await page.locator("#operations-tag-Operations").click();
      await page.locator("#operations-Operations-getAdminJobs").waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it("links to the page for plugin authors, which opens without errors", async () => {
    const page = await browser.newPage();
    const complaints = await collectPageErrors(page);
    await page.goto(`${server.url}/api/docs`);
    await page.getByRole("link", { name: /Write a plugin/ }).click();
    await page.getByRole("link", { name: "Say hello", exact: true }).first().click();
    await page.locator("#hello").waitFor();
    expect(new URL(page.url()).hash).toBe("#hello");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("shows an open padlock on public operations and a closed padlock on all others", async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}/api/docs`);
    const lockOf = async (operation: string) => {
      const lock = page.locator(`#operations-${operation} .authorization__btn`);
      return (await lock.getAttribute("aria-label"))?.split(" ").at(-1);
    };
    for (const chapter of ["Site", "Shard", "Account", "Users"]) {
      await page.locator(`#operations-tag-${chapter}`).click();
    }
    expect(await lockOf("Site-getPublicStatus")).toBe("unlocked");
    expect(await lockOf("Shard-getPublicShardMarket")).toBe("unlocked");
    expect(await lockOf("Account-getAuthMe")).toBe("locked");
    expect(await lockOf("Users-postAdminInvites")).toBe("locked");
    await page.close();
  });
});
