import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { pictures, pictureSize } from "./pictures.ts";
import { type Page, readPage, readPages } from "./read-pages.ts";

const pages = readPages();
const documents = pages.filter(({ name }) => name.startsWith("docs/"));
const named = (list: readonly Page[]) => list.map((page) => [page.name, page] as const);

/** Resolves a relative link. @returns the target's path from the project's folder */
const targetOf = (page: Page, to: string): string =>
  path.posix.join(path.posix.dirname(page.name), to);

describe("a document", () => {
  it.each(named(documents))("%s starts with its title and its audience", (_name, page) => {
    expect(page.lines[0]).toBe(`# ${page.title}`);
    expect(page.purpose).toMatch(/^For /);
  });

  it.each(named(documents))("%s has at most 250 lines", (_name, page) => {
    expect(page.lines.length).toBeLessThanOrEqual(250);
  });

  it.each(named(pages))("%s links only to files and headings that exist", (_name, page) => {
    const local = page.links.filter(({ to }) => !/^[a-z]+:/.test(to));
    const broken = local.filter(({ to }) => {
      const [file = "", anchor] = to.split("#");
      const target = file === "" ? page.name : targetOf(page, file);
      if (!existsSync(path.join(projectFolder, target))) return true;
      return anchor !== undefined && !readPage(target).anchors.has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe("the README", () => {
  it("has at most 150 lines", () => {
    expect(readPage("README.md").lines.length).toBeLessThanOrEqual(150);
  });
});

describe("the index of documents", () => {
  it("links to every page", () => {
    const index = readPage("docs/index.md");
    const linked = new Set(index.links.map(({ to }) => targetOf(index, to.split("#")[0] ?? "")));
    const others = documents.map(({ name }) => name).filter((name) => name !== index.name);
    expect(others.filter((name) => !linked.has(name))).toEqual([]);
  });
});

/**
 * Returns the width and height of a PNG, which are in its first chunk (PNG specification, 11.2.1).
 */
function sizeOf(png: Buffer): { width: number; height: number } {
  expect(png.toString("latin1", 1, 4)).toBe("PNG");
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

describe("the images of the documents", () => {
  const images = pages.flatMap((page) =>
    page.images.map(({ to, alt }) => ({
      file: path.posix.relative("docs/images", targetOf(page, to)),
      alt,
    })),
  );

  it("are exactly the images that `npm run screenshots` makes, and each is shown", () => {
    const made = pictures.map(({ file }) => file).toSorted();
    expect(images.map(({ file }) => file).toSorted()).toEqual(made);
    expect(
      globSync("**/*.png", { cwd: path.join(projectFolder, "docs/images") }).toSorted(),
    ).toEqual(made);
  });

  it.each(images)(
    "$file has the size of the window, at most 300 KiB and a descriptive alt text",
    ({ file, alt }) => {
      const png = readFileSync(path.join(projectFolder, "docs/images", file));
      expect(sizeOf(png)).toEqual(pictureSize);
      expect(png.length).toBeLessThanOrEqual(300 * 1_024);
      expect(alt).toMatch(/^The .{20,}/);
    },
  );
});
