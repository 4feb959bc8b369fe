import { existsSync } from "node:fs";

import { type Browser, chromium } from "playwright-core";

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

/** A real Chromium. @throws when the machine has none: what it would have proved stays unproved */
export function startBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      "No Chromium on this machine: install it (apt-get install chromium) or set CHROMIUM to it.",
    );
  }
  return chromium.launch({ executablePath, headless: true, args: quiet });
}
