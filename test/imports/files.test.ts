import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { Folder, type SourceFile } from "../../shared/imports/files/folder.ts";
import { readFileInPieces, readWholeFile } from "../../shared/imports/files/read-file.ts";
import { catchSourceFault, SourceFault } from "../../shared/imports/results/source-fault.ts";
import { newFolder, writeFiles } from "./import-test-site.ts";

let root: string;
beforeEach(() => {
  root = newFolder();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const codeOf = async (work: () => Promise<unknown>): Promise<string> => {
  const result = await catchSourceFault(work);
  return result instanceof SourceFault ? result.code : "none";
};

async function fileOf(content: string): Promise<SourceFile> {
  await writeFiles(root, { "a.txt": content });
  return (await (await Folder.open(root)).file("a.txt")) as SourceFile;
}

describe("reading an import file", () => {
  it("returns the content, size and hash of the file", async () => {
    const { bytes, stamp } = await readWholeFile(await fileOf("hello"), 5);
    expect(bytes.toString()).toBe("hello");
    expect(stamp).toEqual({
      path: "a.txt",
      size: 5,
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    });
  });

  const changes: [what: string, change: (file: string) => void][] = [
    ["grows", (file) => appendFileSync(file, "more")],
    ["is rewritten", (file) => (writeFileSync(file, "other"), utimesSync(file, 1, 1))],
    ["is truncated", (file) => writeFileSync(file, "")],
    [
      "is replaced",
      (file) => (writeFileSync(`${file}.new`, "hello"), renameSync(`${file}.new`, file)),
    ],
    ["is removed", (file) => rmSync(file)],
  ];

  it.each(changes)("fails if the file %s during the reading", async (_, change) => {
    const file = await fileOf("hello");
    expect(await codeOf(() => readFileInPieces(file, 100, () => change(file.absolute)))).toBe(
      "SOURCE_CHANGED",
    );
  });

  it("fails if the file is too large, gone, a device, or replaced by a link", async () => {
    const file = await fileOf("hello");
    const read = () => readWholeFile(file, 100);
    expect(await codeOf(() => readWholeFile(file, 4))).toBe("TOO_LARGE");
    rmSync(file.absolute);
    expect(await codeOf(read)).toBe("SOURCE_CHANGED");
    const device = { ...file, absolute: "/dev/zero" };
    expect(await codeOf(() => readWholeFile(device, 100))).toBe("UNREADABLE");
    symlinkSync("/etc/hostname", file.absolute);
    expect(await codeOf(read)).toBe("UNREADABLE");
  });

  it("passes on an error that its callback throws", async () => {
    const file = await fileOf("hello");
    const broken = () => Promise.reject(new Error("ours"));
    await expect(readFileInPieces(file, 100, broken)).rejects.toThrow("ours");
  });
});

describe("an import folder", () => {
  it("finds names in any case, and prefers the exact name", async () => {
    await writeFiles(root, { "A.txt": "A", "a.TXT": "a", "Sub/Deep/x.txt": "x" });
    const folder = await Folder.open(root);
    expect((await folder.file("a.TXT"))?.path).toBe("a.TXT");
    expect((await folder.file("a.txt"))?.path).toBe("A.txt");
    expect((await (await folder.folder("sub", "DEEP"))?.file("X.txt"))?.path).toBe(
      "Sub/Deep/x.txt",
    );
    expect(await folder.folder("a.txt")).toBeUndefined();
    expect(await folder.file("none")).toBeUndefined();
  });

  it("lists files in byte order, without hidden files and only down to a limited depth", async () => {
    const deep = "1/2/3/4/5/6/7";
    await writeFiles(root, {
      "b.xml": "",
      "B.XML": "",
      "a/z.xml": "",
      ".git/h.xml": "",
      "c.txt": "",
      "1/2/near.xml": "",
      [`${deep}/far.xml`]: "",
    });
    const paths = (await (await Folder.open(root)).files([".xml"])).map((file) => file.path);
    expect(paths).toEqual(["1/2/near.xml", "B.XML", "a/z.xml", "b.xml"]);
  });

  it("follows links within itself, and no link that leads outside or nowhere", async () => {
    const outside = newFolder();
    await writeFiles(outside, { "secret.xml": "" });
    await writeFiles(root, { "real/in.xml": "" });
    symlinkSync("real", path.join(root, "inner"));
    symlinkSync(outside, path.join(root, "outer"));
    symlinkSync(path.join(outside, "secret.xml"), path.join(root, "file.xml"));
    symlinkSync("nowhere", path.join(root, "dead.xml"));
    symlinkSync("circle.xml", path.join(root, "circle.xml"));
    mkdirSync(path.join(root, "folder.xml"));
    const folder = await Folder.open(root);
    expect((await folder.files([".xml"])).map((file) => file.path)).toEqual(["inner/in.xml"]);
    expect(await folder.folder("outer")).toBeUndefined();
    expect(await folder.file("file.xml")).toBeUndefined();
    rmSync(outside, { recursive: true });
  });

  it("lists each file once, even if links repeat it or form circles", async () => {
    await writeFiles(root, { "a.xml": "", "in/b.xml": "", "in/deeper/c.xml": "" });
    symlinkSync("a.xml", path.join(root, "again.xml"));
    for (let at = 0; at < 30; at++) symlinkSync("..", path.join(root, `in/round${at}`));
    const files = await (await Folder.open(root)).files([".xml"]);
    expect(files.map((file) => file.path)).toEqual(["a.xml", "in/b.xml", "in/deeper/c.xml"]);
  });

  it("is reported as NOT_FOUND if its path does not name a folder", async () => {
    for (const odd of ["/nowhere", path.join(root, "a.txt"), "a\0b", "x".repeat(5_000)]) {
      await writeFiles(root, { "a.txt": "" });
      expect(await codeOf(() => Folder.open(odd))).toBe("NOT_FOUND");
    }
  });
});
