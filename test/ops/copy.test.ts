import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { Client } from "pg";

import { copyRows, type CopyValue } from "../../shared/db/copy.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(async () => {
  await client.query(
    `drop table if exists copied;
     create table copied (place integer primary key, text text, number float8, flag boolean)`,
  );
});

const stored = async (): Promise<CopyValue[][]> => {
  const { rows } = await client.query<CopyValue[]>({
    text: "select text, number, flag from copied order by place",
    rowMode: "array",
  });
  return rows;
};

const numbered = (rows: readonly CopyValue[][]) => rows.map((row, place) => [place, ...row]);

/** What the form of COPY itself gives a meaning, among whatever else a text holds. */
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom("\\", "N", "\t", "\n", "\r", ".", "x", "\b", '"') }),
);

describe("rows that are written by COPY", () => {
  it("are read back as they were, whatever their texts hold", async () => {
    const row = fc.tuple(
      fc.option(text.map((one) => one.replaceAll("\0", ""))),
      fc.option(fc.double({ noNaN: true }).map((one) => (one === 0 ? 0 : one))),
      fc.option(fc.boolean()),
    );
    await fc.assert(
      fc.asyncProperty(fc.array<CopyValue[]>(row), async (rows) => {
        await client.query("truncate copied");
        await copyRows("copied", numbered(rows), client);
        expect(await stored()).toEqual(rows);
      }),
      { numRuns: 50 },
    );
  });

  it("are all there when they are far more than one piece", async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [`${at}\t${"x".repeat(40)}`, at, null]);
    await copyRows("copied (place, text, number, flag)", numbered(rows), client);
    expect(await stored()).toEqual(rows);
  });

  it("leave none behind when one is refused, and the connection as it was", async () => {
    const rows = [
      [1, "one", 1, true],
      [1, "again", 2, true],
    ] as const;
    await expect(copyRows("copied", rows, client)).rejects.toMatchObject({ code: "23505" });
    expect(await stored()).toEqual([]);
  });

  it("leave none behind when there is no such table", async () => {
    await expect(copyRows("nowhere", [[1]], client)).rejects.toMatchObject({ code: "42P01" });
    expect(await stored()).toEqual([]);
  });

  it("leave none behind when their source fails in the midst of them", async () => {
    function* rows(): Generator<CopyValue[]> {
      for (let at = 0; at < 10_000; at += 1) yield [at, "y".repeat(40), at, false];
      throw new Error("the source broke");
    }
    await expect(copyRows("copied", rows(), client)).rejects.toThrow("the source broke");
    expect(await stored()).toEqual([]);
  });
});
