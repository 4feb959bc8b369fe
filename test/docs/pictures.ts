import type { Browser, Page } from "playwright-core";

import type { DemoSite } from "./demo-site.ts";

/** A picture of the documentation. `npm run screenshots` takes it in the demo. */
export interface Picture {
  /** The path of the file below `docs/images/`. */
  readonly file: string;
  /** Opens the page of the demo that the picture shows. @returns the page when it is complete */
  readonly open: (page: Page, site: DemoSite, password: string) => Promise<void>;
}

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
    open: async (page, { addresses }, password) => {
      const data = { username: "admin", password };
      const answer = await page.request.post(`${addresses.SITE}/api/v1/auth/login`, { data });
      if (!answer.ok()) throw new Error(`the sign-in was answered ${answer.status()}`);
      await page.goto(`${addresses.SITE}/api/queues`);
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
