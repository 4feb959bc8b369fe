/**
 * Takes the pictures of the documentation in a demo of its own. `npm run screenshots` runs it. It
 * needs Chromium.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { startBrowser } from "../support/http/browser.ts";
import { startDemoSite } from "./demo-site.ts";
import { pictures, takePicture } from "./pictures.ts";

const password = randomBytes(16).toString("base64url");
const folder = await mkdtemp(path.join(tmpdir(), "guildhall-pictures-"));
const browser = await startBrowser();
const site = await startDemoSite(folder, password);
try {
  for (const picture of pictures) {
    const name = `docs/images/${picture.file}`;
    await takePicture(browser, picture, { site, password, path: path.join(projectFolder, name) });
    process.stdout.write(`${name}\n`);
  }
} finally {
  await site.stop();
  await browser.close();
  await rm(folder, { recursive: true });
}
