import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { SourceFault } from "../../shared/imports/results/source-fault.ts";
import { MergedTexts } from "../../shared/shard/clilocs/merge.ts";
import { readOverlay } from "../../shared/shard/clilocs/overlay.ts";
import { readTable } from "../../shared/shard/clilocs/table.ts";
import { packedTable, plainTable, type Text } from "./tables.ts";

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "none";
  } catch (error) {
    if (error instanceof SourceFault) return error.code;
    throw error;
  }
};

describe("the client's table", () => {
  const text = fc.tuple(
    fc.nat(0x7fff_ffff),
    fc.string({ unit: "grapheme" }).map((one) => one.replaceAll("\0", "")),
  );

  it("reads back whatever was written", () => {
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        expect([...readTable("t", plainTable(texts))]).toEqual(texts);
      }),
    );
  });

  it("takes texts longer than a signed length tells", () => {
    const long: Text = [1, "é".repeat(20_000)];
    expect([...readTable("t", plainTable([long, [2, "after"]]))]).toEqual([long, [2, "after"]]);
  });

  it.each([
    ["a packed table", packedTable(5_000), "COMPRESSED"],
    [
      "a packed table of millions of texts",
      packedTable(20_000_000).subarray(0, 9_000),
      "COMPRESSED",
    ],
    ["one that ends in a text", plainTable([[1, "some text"]]).subarray(0, -3), "TRUNCATED"],
    ["one that ends in a record's head", plainTable([[1, ""]]).subarray(0, -3), "TRUNCATED"],
    ["one that is shorter than its head", Buffer.from([2, 0, 0]), "TRUNCATED"],
    ["an old client's form", Buffer.from("FORM\0\0\0\u0010INTLINFO"), "UNREADABLE"],
    [
      "a pointer to a file",
      Buffer.from("version https://git-lfs.github.com/spec/v1\n"),
      "UNREADABLE",
    ],
  ])("refuses %s", (_, bytes, code) => {
    expect(codeOf(() => [...readTable("t", bytes)])).toBe(code);
  });

  it("is read or refused with a code, whatever its bytes", () => {
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    const headed = noise.map((bytes) => Buffer.concat([plainTable([]), bytes]));
    fc.assert(
      fc.property(
        fc.oneof(noise, headed),
        fc.constantFrom("a.enu", "a.csv", "a.json"),
        (bytes, label) => {
          expect(codeOf(() => [...readOverlay(label, bytes)])).toMatch(
            /^(none|COMPRESSED|TRUNCATED|UNREADABLE)$/,
          );
        },
      ),
    );
  });
});

describe("overlays", () => {
  const read = (label: string, content: string | Buffer) => [
    ...readOverlay(label, Buffer.from(content)),
  ];

  it("read CSV with a head and flags, comments, quotes and the separator in a text", () => {
    const csv =
      'Number;Text;Flag\r\n# a comment\r\n1;one;two ;0\r\n2;"say ""hi""";2\r\n3;;0\r\nx;y;0\r\n99999999999;z;0\r\n';
    expect(read("a.csv", csv)).toEqual([
      [1, "one;two"],
      [2, 'say "hi"'],
      [3, ""],
    ]);
  });

  it("read CSV with flags in no time, however its blanks and separators run on", () => {
    const long = 200_000;
    for (const run of [" ", "\t", ";", "; "]) {
      const text = `${run.repeat(long)}x`;
      expect(read("a.csv", `number;text;flag\n1;${text};0\n`)).toEqual([[1, text]]);
      expect(read("a.csv", `number;text;flag\n1;${text}\n`)).toEqual([[1, text]]);
    }
  });

  it("read CSV without a head, in an old encoding", () => {
    expect(read("a.CSV", Buffer.from("5;caf\u00e9 \n0;zero;0\n", "latin1"))).toEqual([
      [5, "café"],
      [0, "zero;0"],
    ]);
  });

  it("read JSON, with one text or one for each language", () => {
    const json = JSON.stringify({
      1: "one",
      2: { PTB: "dois", ENU: "two" },
      3: { PTB: "três" },
      x: "no",
      4: 5,
    });
    expect(read("a.json", `\uFEFF${json}`)).toEqual([
      [1, "one"],
      [2, "two"],
      [3, "três"],
    ]);
  });

  it.each([
    ["a.csv", "nothing of the kind"],
    ["a.json", "[1]"],
    ["a.json", "{"],
  ])("refuse %s of %j", (label, content) => {
    expect(codeOf(() => read(label, content))).toBe("UNREADABLE");
  });
});

describe("merging", () => {
  it("drops blank texts, lets later ones win and says what each source brought", () => {
    const merged = new MergedTexts();
    merged.add("base", "base", [
      [1, "a"],
      [2, ""],
      [3, "c"],
      [1, "b"],
      [4, "  "],
    ]);
    merged.add("custom/a", "custom", [
      [1, ""],
      [3, "C"],
      [9, "new"],
    ]);
    expect([...merged.texts]).toEqual([
      [1, "b"],
      [3, "C"],
      [4, "  "],
      [9, "new"],
    ]);
    expect([merged.parsed, merged.blank]).toEqual([8, 2]);
    expect(merged.sources).toEqual([
      { label: "base", kind: "base", entries: 3, added: 3, overrode: 0 },
      { label: "custom/a", kind: "custom", entries: 2, added: 1, overrode: 1 },
    ]);
  });
});
