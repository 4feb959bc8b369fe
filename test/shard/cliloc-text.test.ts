import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { SqlClient } from "../../shared/platform/db/sql.ts";
import {
  type ClilocTexts,
  renderClilocText,
  readClilocTexts,
} from "../../shared/shard/market/cliloc-text.ts";

const textsOf = (texts: Readonly<Record<number, string>>): ClilocTexts =>
  new Map(Object.entries(texts).map(([number, text]) => [Number(number), text]));

const filled = (text: string, args: string | null = null, others: Record<number, string> = {}) =>
  renderClilocText({ number: 1, args }, textsOf({ ...others, 1: text }));

describe("the text of a cliloc, a numbered string of the client", () => {
  it("is filled with tab-separated arguments by their numbers", () => {
    expect(filled("~1_NUMBER~ ~2_ITEMNAME~", "57\tingots")).toBe("57 ingots");
    expect(filled("~2_B~, ~1_A~, ~2_B~", "one\ttwo")).toBe("two, one, two");
    expect(filled("katana", "idle")).toBe("katana");
    expect(filled("~10_TEN~", "1\t2\t3\t4\t5\t6\t7\t8\t9\tten")).toBe("ten");
  });

  it("identifies placeholders by their number, whatever their name", () => {
    const odd = ["~1~", "~1val~", "~1_AMOUNT!~", "~1_PLAYER NAME~", "~1NT_PREFIX~", "~1_SEXTANT ~"];
    expect(odd.map((placeholder) => filled(`[${placeholder}]`, "x"))).toEqual(odd.map(() => "[x]"));
  });

  it("ends an unterminated placeholder at the end of its word", () => {
    expect(filled("You take ~1_NAME from the shelf", "a book")).toBe(
      "You take a book from the shelf",
    );
    expect(filled("You take ~1_NAME")).toBe("You take");
  });

  it("omits placeholders without an argument", () => {
    expect(filled("a ~1_HUE~ robe")).toBe("a robe");
    expect(filled("a ~1_HUE~ robe ~2_SIZE~", "\tlarge")).toBe("a robe large");
    expect(filled("~1_NOTHING~")).toBeNull();
  });

  it("includes the text of another number if an argument names it", () => {
    const others = { 1_044_061: "Archery", 5: "~1_X~ of stone", 6: "#1044061", 7: " " };
    expect(filled("a scroll of ~1_SKILL~", "#1044061", others)).toBe("a scroll of Archery");
    expect(filled("~1_A~ block", "#5", others)).toBe("of stone block");
    expect(filled("~1_A~ bow", "#6", others)).toBe("Archery bow");
    expect(filled("#1044061", null, others)).toBe("Archery");
    expect(filled("~1_A~ shield", "#99", others)).toBe("shield");
    expect(filled("~1_A~!", "# 5", others)).toBe("# 5!");
  });

  it("omits texts that name each other in a circle", () => {
    expect(filled("#2", null, { 2: "#1" })).toBeNull();
    expect(filled("#1")).toBeNull();
    expect(filled("~1_A~ egg", "#2", { 2: "#3", 3: "#2" })).toBe("egg");
  });

  it("loses the client's markup, and keeps the text that players wrote", () => {
    expect(filled("<center>The<br>Book</center> <i>of</i> Truth")).toBe("The Book of Truth");
    expect(filled("<BASEFONT COLOR=#FFFFFF>~1_NAME~", "O'Neil's <Pride>")).toBe("O'Neil's <Pride>");
    expect(filled("5 < 6")).toBe("5 < 6");
  });

  it("is null if the table has no text, and a single line if the text has several lines", () => {
    expect(renderClilocText({ number: 2, args: "x" }, new Map())).toBeNull();
    expect(filled("  \t ")).toBeNull();
    expect(filled("a\r\n\tb")).toBe("a b");
  });

  it("shows every argument and no placeholder, for any arguments", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9'.!-]{1,8}$/);
    const name = fc.stringMatching(/^[A-Za-z_! .]{0,8}$/);
    const parts = fc.array(fc.tuple(word, fc.integer({ min: 1, max: 5 }), name), { minLength: 1 });
    fc.assert(
      fc.property(parts, fc.array(word, { minLength: 5, maxLength: 5 }), (all, args) => {
        const text = all.map(([before, place, label]) => `${before} ~${place}${label}~`).join(" ");
        const expected = all.map(([before, place]) => `${before} ${args[place - 1]}`).join(" ");
        expect(filled(text, args.join("\t"))).toBe(expected);
      }),
    );
  });

  it("is built without an exception or endless loop, whatever the table contains", () => {
    const shard = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.constantFrom("~1_A~", "~2", "~", "#1", "#2", "#3", "<b>", "\t", "~1~~2~"),
    );
    const text = fc.array(shard, { maxLength: 5 }).map((shards) => shards.join(""));
    fc.assert(
      fc.property(fc.array(text, { minLength: 3, maxLength: 3 }), text, (all, args) => {
        const texts = textsOf({ 1: all[0] ?? "", 2: all[1] ?? "", 3: all[2] ?? "" });
        const shown = renderClilocText({ number: 1, args }, texts);
        expect(shown === null || shown === shown.trim()).toBe(true);
      }),
    );
  });
});

describe("reading cliloc texts", () => {
  it("fetches the requested texts and the texts that their arguments name, and no others", async () => {
    const table = textsOf({ 1: "~1_A~", 2: "#3", 3: "#4", 4: "deep", 5: "unasked" });
    const asked: number[][] = [];
    const sql: SqlClient = {
      query: (({ values: [numbers] }: { values: [number[]] }) => {
        asked.push(numbers);
        const rows = numbers.flatMap((number) => {
          const text = table.get(number);
          return text === undefined ? [] : [{ number, text }];
        });
        return Promise.resolve({ rows });
      }) as unknown as SqlClient["query"],
    };
    const texts = await readClilocTexts([{ number: 1, args: "#2\t#77\t#9999999999" }], sql);
    expect(texts).toEqual(new Map([...table].filter(([number]) => number < 5)));
    expect(asked).toEqual([[1, 2, 77], [3], [4]]);
  });
});
