import { existsSync } from "node:fs";

import { type Browser, chromium } from "playwright-core";

import { timeoutMs } from "../clock/wait.ts";

const places = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts Chromium.
 * @throws if it is not installed, so that its tests are not skipped by accident
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      "No Chromium on this machine: install it (apt-get install chromium) or set CHROMIUM to it.",
    );
  }
  const browser = await chromium.launch({ executablePath, headless: true, args: quiet });
  makePatient(browser);
  return browser;
}

/**
 * Increases the timeouts of a browser. The default is 30 s, and a busy machine may need longer for
 * a correct page.
 */
function makePatient(browser: Browser): void {
  const newContext = browser.newContext.bind(browser);
  const newPage = browser.newPage.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(timeoutMs);
    return context;
  };
  browser.newPage = async (options) => {
    const page = await newPage(options);
    page.setDefaultTimeout(timeoutMs);
    return page;
  };
}
