import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startBrowser } from "../support/http/browser.ts";
import { type DemoSite, startDemoSite } from "./demo-site.ts";
import { pictures, pictureSize, takePicture } from "./pictures.ts";

const password = "a password of the pictures";

let folder: string;
let browser: Browser;
let site: DemoSite;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "guildhall-pictures-"));
  browser = await startBrowser();
  site = await startDemoSite(folder, password);
});
afterAll(async () => {
  await site?.stop();
  await browser?.close();
  await rm(folder, { recursive: true });
});

describe("the demo", () => {
  it.each(pictures)(
    "renders the page of the picture $file in the configured size",
    async (picture) => {
      const file = path.join(folder, picture.file);
      const png = await takePicture(browser, picture, { site, password, path: file });
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
        pictureSize.width,
        pictureSize.height,
      ]);
    },
  );
});
