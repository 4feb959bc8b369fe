import type { Browser, Page } from "playwright-core";

import type { DemoSite } from "./demo-site.ts";

/** A picture of the documentation. `npm run screenshots` takes it in the demo. */
export interface Picture {
  /** The path of the file below `docs/images/`. */
  readonly file: string;
  /** Opens the page of the demo that the picture shows. @returns the page when it is complete */
  readonly open: (page: Page, site: DemoSite, password: string) => Promise<void>;
}

/** Signs the administrator of the demo in. */
async function signIn(page: Page, { addresses }: DemoSite, password: string): Promise<void> {
  const data = { username: "admin", password };
  const answer = await page.request.post(`${addresses.SITE}/api/v1/auth/login`, { data });
  if (!answer.ok()) throw new Error(`the sign-in was answered ${answer.status()}`);
}

const untilLoaded = async (page: Page): Promise<void> => {
  await page.getByRole("main").locator("h1").first().waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
};

/**
 * A page of the console.
 * @param route below `/console`
 * @param entry the text of a link on the page that leads to the page of the picture
 */
const consolePicture = (name: string, route: string, entry?: string): Picture => ({
  file: `console/${name}.png`,
  open: async (page, site, password) => {
    await signIn(page, site, password);
    await page.goto(`${site.addresses.SITE}/console${route}`);
    await untilLoaded(page);
    if (entry === undefined) return;
    await page.getByRole("main").getByRole("link", { name: entry }).first().click();
    await untilLoaded(page);
  },
});

/** CATALOG of the pictures. */
export const pictures: readonly Picture[] = [
  {
    file: "live-events.png",
    open: async (page, { addresses }) => {
      await page.goto(addresses.PAGE);
      await page.locator("#events .words").nth(10).waitFor();
      await page.getByText("connected", { exact: true }).waitFor();
    },
  },
  {
    file: "queues.png",
    open: async (page, site, password) => {
      await signIn(page, site, password);
      await page.goto(`${site.addresses.SITE}/api/queues`);
      await page.getByRole("region", { name: "All queues" }).getByRole("row").nth(5).waitFor();
    },
  },
  {
    file: "api-description.png",
    open: async (page, { addresses }) => {
      await page.goto(`${addresses.SITE}/api/docs`);
      await page.getByText("/public/shard/status").first().waitFor();
    },
  },
  consolePicture("home", ""),
  consolePicture("people", "/people"),
  consolePicture("person", "/people", "admin"),
  consolePicture("appeals", "/appeals"),
  consolePicture("reports", "/reports"),
  consolePicture("moderation", "/moderation"),
  consolePicture("events", "/events"),
  consolePicture("event", "/events/new"),
  consolePicture("calendar", "/events/calendar"),
  consolePicture("runs", "/runs"),
  consolePicture("posts", "/posts"),
  consolePicture("wiki", "/wiki"),
  consolePicture("pages", "/pages"),
  consolePicture("servers", "/servers"),
  consolePicture("shard-link", "/servers/shard"),
  consolePicture("new-server", "/servers/new"),
  consolePicture("survival", "/survival"),
  consolePicture("survival-server", "/survival", "Emberfall"),
  consolePicture("permissions", "/survival/permissions"),
  consolePicture("zones", "/survival/zones"),
  consolePicture("npcs", "/survival/npcs"),
  consolePicture("ledger", "/survival/ledger"),
  consolePicture("imports", "/imports"),
  consolePicture("settings", "/settings"),
  consolePicture("visibility", "/visibility"),
  consolePicture("providers", "/providers"),
  consolePicture("tokens", "/tokens"),
  consolePicture("webhooks", "/webhooks"),
  consolePicture("activity", "/activity"),
  consolePicture("account", "/account"),
];

/** The size of the window in CSS pixels. */
export const pictureSize = { width: 1_100, height: 720 };

/** Opens the page of a picture and writes the PNG file. @returns the content of the file */
export async function takePicture(
  browser: Browser,
  picture: Picture,
  { site, password, path }: { site: DemoSite; password: string; path: string },
): Promise<Buffer> {
  const context = await browser.newContext({ viewport: pictureSize, colorScheme: "light" });
  const page = await context.newPage();
  await picture.open(page, site, password);
  const png = await page.screenshot({ path });
  await context.close();
  return png;
}
