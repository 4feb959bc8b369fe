import * as fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { firstRow } from "../../shared/platform/db/rows.ts";
import { jsonArraySql, wordArraySql } from "../../shared/platform/db/sql-text.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";

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

async function readAs(type: string, array: string): Promise<unknown> {
  const found = await firstRow<{ items: unknown }>(
    client,
    `select to_json($1::${type}[]) as items`,
    [array],
  );
  return found?.items;
}

/** JSON values that the database can store: without NUL and lone surrogates. */
const storable = fc
  .jsonValue()
  .filter((value) => !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value)));

describe("a PostgreSQL array literal of JSON texts", () => {
  it("is read by the database as the same texts, whatever they contain", async () => {
    const same = fc.asyncProperty(fc.array(storable), async (values) => {
      const texts = values.map((value) => JSON.stringify(value));
      expect(await readAs("text", jsonArraySql(texts))).toEqual(texts);
    });
    await expect(fc.assert(same, { numRuns: 200 })).resolves.toBeUndefined();
  });

  it("keeps quotes, backslashes, line ends, braces, and the word null", async () => {
    const values = ['"', "\\", '\\"', "\n\t\u0001", "{a,b}", "NULL", null, " ", "\u2028é😀", ""];
    const texts = values.map((value) => JSON.stringify({ [String(value)]: value }));
    expect(await readAs("jsonb", jsonArraySql(texts))).toEqual(
      values.map((value) => ({ [String(value)]: value })),
    );
  });
});

describe("a PostgreSQL array literal of words or numbers", () => {
  it.each([
    ["words", "text", ["76561198000000001", "playersKilled"]],
    ["numbers", "bigint", [0, -1, 2 ** 53]],
    ["nothing", "bigint", []],
  ] as const)("is read back unchanged: %s", async (_of, type, words) => {
    expect(await readAs(type, wordArraySql(words))).toEqual(words);
  });
});
