import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isTextAsShown, isValueAsShown } from "./compare-output.ts";
import { type DemoSite, startDemoSite } from "./demo-site.ts";
import { CodeBlockRunner } from "./page-shell.ts";
import { type Block, readPages } from "./read-pages.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-docs-"));
const password = `a-${randomBytes(12).toString("hex")}`;

let demo: DemoSite;
beforeAll(async () => {
  demo = await startDemoSite(folder, password);
});
afterAll(async () => {
  await demo?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const isCommand = ({ info }: Block): boolean => /^sh demo\b/.test(info);
const isCleanup = ({ info }: Block): boolean => info === "sh demo cleanup";

const pages = readPages().filter(({ blocks }) => blocks.some(isCommand));

/** Replaces the addresses of `npm run demo` by the addresses of this demo. */
const withAddresses = (text: string): string =>
  text
    .replaceAll("http://localhost:3000", demo.addresses.SITE)
    .replaceAll("http://localhost:3080", demo.addresses.PAGE)
    .replaceAll("http://localhost:3081", demo.addresses.RECEIVER);

/** Compares the output of a command with the output block that follows it, if there is one. */
function compare(printed: string, shown: Block | undefined): void {
  const text = withAddresses(shown?.text ?? "");
  if (shown?.info === "json output") {
    const [value, expected]: unknown[] = [JSON.parse(printed), JSON.parse(text)];
    if (!isValueAsShown(expected, value)) expect(value).toEqual(expected);
  } else if (shown?.info === "text output" && !isTextAsShown(text, printed)) {
    expect(printed.trim()).toBe(text.trim());
  }
}

async function runPage(blocks: readonly Block[]): Promise<void> {
  const shell = new CodeBlockRunner({
    ...demo.addresses,
    ADMIN_PASSWORD: password,
    DEMO_PASSWORD: password,
  });
  const faults: unknown[] = [];
  try {
    for (const [at, block] of blocks.entries()) {
      if (isCommand(block) && !isCleanup(block)) {
        compare(await shell.run(block.text), blocks[at + 1]);
      }
    }
  } catch (error) {
    faults.push(error);
  }
  for (const block of blocks.filter(isCleanup)) {
    await shell.run(block.text).catch((error: unknown) => faults.push(error));
  }
  shell.close();
  // Throw the first error: errors of the cleanup often follow from it.
  if (faults.length > 0) throw faults[0];
}

describe("the commands in the documents, run in order on the demo", () => {
  it.each(pages.map((page) => [page.name, page] as const))(
    "print the output that the page with the commands shows: %s",
    async (_name, { blocks }) => {
      await expect(runPage(blocks)).resolves.toBeUndefined();
    },
    900_000,
  );
});
