import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { SourceFault } from "../../shared/imports/results/source-fault.ts";
import { readPackedLength, unpackTable } from "../../shared/shard/clilocs/packed-table.ts";
import { readTable } from "../../shared/shard/clilocs/table.ts";
import { MergedTexts, readOverlay } from "../../shared/shard/clilocs/texts.ts";
import { packCodes, packTable } from "./packed-table.ts";
import { buildTextTable, type NumberedText } from "./tables.ts";

/** Returns the code and the reason of the error, or undefined if there is no error. */
const faultOf = async (work: () => Promise<unknown>) => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof SourceFault) return { code: error.code, reason: error.message };
    throw error;
  }
};

const readAll = async (bytes: Buffer): Promise<unknown[]> => [...(await readTable("t", bytes))];

const numbered = fc.tuple(
  fc.nat(0x7fff_ffff),
  fc.string({ unit: "grapheme" }).map((one) => one.replaceAll("\0", "")),
);

const neither =
  "t: expected a plain table of texts (02 00 00 00 01 00) or a packed one, as clients since 7.0.104 have";

describe("the plain text table of the client", () => {
  it("is read with the same texts that were written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(numbered), async (texts) => {
        expect(await readAll(buildTextTable(texts))).toEqual(texts);
      }),
    );
  });

  it("is read even if texts are longer than a signed 16-bit length allows", async () => {
    const long: NumberedText = [1, "é".repeat(20_000)];
    expect(await readAll(buildTextTable([long, [2, "after"]]))).toEqual([long, [2, "after"]]);
  });

  it.each([
    [
      "ends in a text",
      buildTextTable([[1, "some text"]]).subarray(0, -3),
      "t: it ends within a text",
    ],
    [
      "ends in the header of a record",
      buildTextTable([[1, ""]]).subarray(0, -3),
      "t: it ends within a text",
    ],
    [
      "is shorter than its header",
      Buffer.from([2, 0, 0]),
      "t: it is shorter than the header of a table",
    ],
  ])("is refused when it %s", async (_, bytes, reason) => {
    expect(await faultOf(() => readAll(bytes))).toEqual({ code: "TRUNCATED", reason });
  });
});

describe("the packed text table of the client", () => {
  const plain = buildTextTable([
    [500_000, "First"],
    [1_023_922, "a dagger"],
  ]);
  const packed = packTable(plain);

  it("yields the texts of the plain table, whatever bytes follow the packed codes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(numbered), fc.nat(2_000), async (texts, padding) => {
        expect(await readAll(packTable(buildTextTable(texts), padding))).toEqual(texts);
      }),
    );
  });

  it("unpacks to the original bytes, whatever their values and frequencies", async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 3_000 }),
      fc.array(fc.constantFrom(0, 1, 2, 255), { minLength: 1, maxLength: 3_000 }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (given) => {
        const whole = Buffer.from(given);
        const pack = packTable(whole);
        expect(readPackedLength(pack)).toBe(whole.length);
        expect(await unpackTable("t", pack, whole.length)).toEqual(whole);
      }),
    );
  });

  it("unpacks all 256 byte values if they are equally frequent", async () => {
    const whole = Buffer.from(Array.from({ length: 2_560 }, (_, at) => 255 - (at % 256)));
    expect(await unpackTable("t", packTable(whole), whole.length)).toEqual(whole);
  });

  it("decodes an example that was worked out by hand", async () => {
    // For the text "abaac", the queue begins as a, b, c. After the first a is written, a moves behind b; after
    // the second, to the front. Once b and c are written, they leave the queue.
    const codes = [0, 1, 0, 1, 2];
    const counts = { 97: 3, 98: 1, 99: 1 };
    expect((await unpackTable("t", packCodes(counts, codes), 5)).toString()).toBe("abaac");
  });

  it("starts with the same length field as the client's real files", () => {
    // The first four bytes of a client's real file: Cliloc.deu of version 7.0.114.4, which unpacks
    // to 706,468 bytes.
    const length = (Buffer.from([0x99, 0x5d, 0x26, 0x8e]).readUInt32LE() ^ 0x8e2c_9a3d) >>> 0;
    const pack = packTable(Buffer.alloc(length, 7));
    expect(pack.subarray(0, 4)).toEqual(Buffer.from([0x99, 0x5d, 0x26, 0x8e]));
    expect([length, readPackedLength(pack)]).toEqual([706_468, 706_468]);
  });

  it("lets other work run while a large table is unpacked", async () => {
    const large = buildTextTable(Array.from({ length: 12 }, (_, at) => [at, "x".repeat(60_000)]));
    const pack = packTable(large);
    let turns = 0;
    let isOver = false;
    const takeTurns = (): void => {
      turns += 1;
      if (!isOver) setImmediate(takeTurns);
    };
    takeTurns();
    await readAll(pack);
    isOver = true;
    expect(turns).toBeGreaterThan(2);
  });

  it.each([1, 4, 1_027, 1_028, packed.length - 1])(
    "is refused when it is cut to %i bytes",
    async (length) => {
      const reasons: Record<number, string> = {
        1: "t: it is shorter than the header of a table",
        4: "t: it is shorter than the header of a table",
        1_027: neither,
      };
      const short = `t: it is a packed table of ${length} bytes, but its header requires ${packed.length}`;
      expect(await faultOf(() => readAll(packed.subarray(0, length)))).toEqual({
        code: length === 1_027 ? "UNREADABLE" : "TRUNCATED",
        reason: reasons[length] ?? short,
      });
    },
  );

  it("is refused without being unpacked if its header announces 4 GiB", async () => {
    expect(await faultOf(() => readAll(packCodes({ 1: 0xffff_ffff }, [0, 0, 0])))).toEqual({
      code: "TRUNCATED",
      reason: `t: it is a packed table of 1031 bytes, but its header requires ${0xffff_ffff + 1_028}`,
    });
  });

  it("is refused if its counts exceed 4 GiB together, even if their 32-bit sum equals its length", async () => {
    expect(await faultOf(() => readAll(packCodes({ 1: 0xffff_ffff, 2: 6 }, [0, 0, 0])))).toEqual({
      code: "UNREADABLE",
      reason: neither,
    });
  });

  it.each([
    ["two values have one place", { 1: 2, 2: 2 }, [0, 0, 0, 0]],
    ["the place of a value is beyond the queue", { 1: 2, 2: 2 }, [0, 0, 2, 0]],
    ["a code puts a value beyond the queue", { 1: 2, 2: 2 }, [0, 2, 1, 0]],
    ["a code puts a value behind a value that is used up", { 1: 3, 2: 1 }, [1, 1, 0, 0]],
  ])("is refused when %s", async (_, counts, codes) => {
    expect(await faultOf(() => readAll(packCodes(counts, codes)))).toEqual({
      code: "COMPRESSED",
      reason: "t: it is a packed table with a code that is out of range",
    });
  });

  it("is refused if it does not contain a plain table, even if it contains another packed table", async () => {
    for (const inner of [packed, Buffer.from("number;text\n1;one\n")]) {
      expect(await faultOf(() => readAll(packTable(inner)))).toEqual({
        code: "UNREADABLE",
        reason:
          "t: it is a packed table that does not contain a plain table of texts (02 00 00 00 01 00)",
      });
    }
  });

  it("is read or refused with a code if any of its bytes is changed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), fc.nat(255), async (at, value) => {
        const damaged = Buffer.from(packed);
        damaged[at] = value;
        const fault = await faultOf(() => readAll(damaged));
        expect(fault?.code ?? "none").toMatch(/^(none|COMPRESSED|TRUNCATED|UNREADABLE)$/);
      }),
    );
  });
});

describe("a file that is perhaps not a text table", () => {
  it.each([
    ["the format of an old client", Buffer.from("FORM\0\0\0\u0010INTLINFO")],
    ["a Git LFS pointer", Buffer.from("version https://git-lfs.github.com/spec/v1\n")],
    ["a plausible length before zeros", packCodes({ 1: 5_000 }, []).fill(0, 4)],
  ])("is refused with a reason that says what was expected: %s", async (_, bytes) => {
    expect(await faultOf(() => readAll(bytes))).toEqual({ code: "UNREADABLE", reason: neither });
  });

  it("is read or refused with a code, whatever its content and its name", async () => {
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    const headed = noise.map((bytes) => Buffer.concat([buildTextTable([]), bytes]));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(noise, headed),
        fc.constantFrom("a.enu", "a.csv", "a.json"),
        async (bytes, label) => {
          const fault = await faultOf(async () => [...(await readOverlay(label, bytes))]);
          expect(fault?.code ?? "none").toMatch(/^(none|TRUNCATED|UNREADABLE|MALFORMED)$/);
        },
      ),
    );
  });
});

describe("texts of an overlay file", () => {
  const read = async (label: string, content: string | Buffer) => [
    ...(await readOverlay(label, Buffer.from(content))),
  ];

  it("are read from CSV with a header, flags, comments, quotes and separators within a text", async () => {
    const csv =
      'Number;Text;Flag\r\n# a comment\r\n1;one;two ;0\r\n2;"say ""hi""";2\r\n3;;0\r\nx;y;0\r\n99999999999;z;0\r\n';
    expect(await read("a.csv", csv)).toEqual([
      [1, "one;two"],
      [2, 'say "hi"'],
      [3, ""],
    ]);
  });

  it("are read from CSV with flags, however many blanks and separators follow each other", async () => {
    const long = 200_000;
    for (const run of [" ", "\t", ";", "; "]) {
      const text = `${run.repeat(long)}x`;
      expect(await read("a.csv", `number;text;flag\n1;${text};0\n`)).toEqual([[1, text]]);
      expect(await read("a.csv", `number;text;flag\n1;${text}\n`)).toEqual([[1, text]]);
    }
  });

  it("are read from CSV without a header, in an old encoding", async () => {
    expect(await read("a.CSV", Buffer.from("5;caf\u00e9 \n0;zero;0\n", "latin1"))).toEqual([
      [5, "café"],
      [0, "zero;0"],
    ]);
  });

  it("are read from CSV and JSON in UTF-16 with a byte order mark, as spreadsheets save it", async () => {
    const marked = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
    const rows = [[5, "café €"]];
    expect(await read("a.csv", marked("number\ttext\r\n5\tcafé €\r\n"))).toEqual(rows);
    expect(await read("a.csv", marked("5;café €").swap16())).toEqual(rows);
    expect(await read("a.json", marked('{"5":"café €"}'))).toEqual(rows);
    expect(await faultOf(() => read("a.csv", marked("5;café").subarray(0, -1)))).toEqual({
      code: "MALFORMED",
      reason:
        "a.csv: it has the byte order mark of UTF-16LE, and some of its bytes are invalid in this encoding",
    });
  });

  it("are read from JSON, with one text or one text for each language", async () => {
    const json = JSON.stringify({
      1: "one",
      2: { PTB: "dois", ENU: "two" },
      3: { PTB: "três" },
      x: "no",
      4: 5,
    });
    expect(await read("a.json", `\uFEFF${json}`)).toEqual([
      [1, "one"],
      [2, "two"],
      [3, "três"],
    ]);
  });

  it.each([
    ["a.csv", "nothing of the kind"],
    ["a.json", "[1]"],
    ["a.json", "{"],
  ])("are refused in the file %s with the content %j", async (label, content) => {
    expect(await faultOf(() => read(label, content))).toMatchObject({ code: "UNREADABLE" });
  });
});

describe("the merge of texts", () => {
  it("drops blank texts, lets later sources win, and counts what each source added", () => {
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
