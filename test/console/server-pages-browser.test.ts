import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { buildSurvivalServer } from "../support/factories/survival.ts";
import {
  type ConsoleSite,
  faultsOf,
  startConsoleSite,
  waitUntilPageLoaded,
  violationsOf,
} from "../support/http/console-site.ts";

let site: ConsoleSite;
let pages: readonly string[];

beforeAll(async () => {
  site = await startConsoleSite();
  const kinds = ["webrcon", "plugin", "sidecar"] as const;
  const servers = [];
  for (const kind of kinds) {
    servers.push(
      await buildSurvivalServer(site.server, {
        kind,
        name: `A server with a long name that is linked by the kind ${kind}`,
        enabled: kind === "plugin",
      }),
    );
  }
  const link = { kind: "plugin", enabled: true };
  await site.as("PUT /admin/shardlink/config", link);
  pages = [
    "/console/servers",
    "/console/servers/shard",
    "/console/servers/new",
    ...servers.map(({ id }) => `/console/servers/${id}`),
  ];
});
afterAll(() => site?.stop());
afterEach(() => site.closePages());

describe("the pages of game servers", () => {
  it.each(["admin", "moderator"] as const)(
    "violate neither accessibility rules nor the content security policy for the role %s",
    async (role) => {
      const { page, complaints } = await site.open(role, "/console/servers");
      for (const path of pages) {
        await page.goto(site.web.url + path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await waitUntilPageLoaded(page);
        expect([path, await violationsOf(page)]).toEqual([path, []]);
      }
      // No plugin answers the tools of the shard, so that their requests fail.
      const expected = /503 .*\/api\/v1\/admin\/shardlink\/(towncrier|signup-mode)$/;
      expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
    },
  );

  it.each(["en-GB", "de-DE"])("fit a phone 360 pixels wide in the language %s", async (locale) => {
    const opened = await site.open("admin", "/console/servers", locale);
    expect(await faultsOf(opened, site.web.url, pages)).toEqual([]);
    expect(await opened.page.locator("html").getAttribute("lang")).toBe(locale.slice(0, 2));
  });

  it("show a moderator the states of the links, and nothing that only administrators may do", async () => {
    const { page } = await site.open("moderator", "/console/servers");
    await page.getByRole("link", { name: "linked by the kind webrcon" }).click();
    await page.getByRole("heading", { level: 1, name: "webrcon" }).waitFor();
    await waitUntilPageLoaded(page);
    expect(await page.getByText("turned off").count()).toBe(1);
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    expect(await page.getByRole("form").count()).toBe(0);
    await page.goto(`${site.web.url}/console/servers`);
    await page.getByRole("heading", { name: "Survival servers" }).waitFor();
    const main = page.getByRole("main");
    expect(await main.getByRole("link", { name: "Add a survival server" }).count()).toBe(0);
    expect(await main.getByRole("link", { name: "Open the link of the shard" }).count()).toBe(0);
    await page.goto(`${site.web.url}/console/servers/shard`);
    await page.getByText("Your role does not include this page.").waitFor();
  });

  it("are not in the menu of an editor", async () => {
    const { page } = await site.open("editor", "/console");
    await page.getByRole("navigation").getByRole("link", { name: "Home" }).waitFor();
    expect(await page.getByRole("link", { name: "Game servers" }).count()).toBe(0);
  });

  it("can be used with the keyboard alone", async () => {
    const { page } = await site.open("admin", "/console/servers/new");
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type("Typed with the keyboard");
    const kind = page.getByLabel("Kind", { exact: true });
    while (!(await kind.evaluate((element) => element.matches(":focus")))) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("Plugin");
    await page.getByText("The plugin calls the site.").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Typed with the keyboard" }).waitFor();
    const { body } = await site.as("GET /admin/survival/servers");
    expect(JSON.stringify(body)).toContain("typed-with-the-keyboard");
  });
});
