import * as fc from "fast-check";
import { Client } from "pg";
import { Sequelize } from "sequelize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { defineModels } from "../../models/index.ts";
import {
  copyModelRows,
  copyRows,
  copyInTransaction,
  type CopyValue,
} from "../../shared/platform/db/copy.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";

let database: TestDatabase;
let client: Client;
let sequelize: Sequelize;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client(database.url);
  await client.connect();
  const define = { underscored: true, timestamps: false };
  // The pool has one connection, so a call that does not release it makes the next call fail.
  const pool = { max: 1, acquire: 5_000 };
  sequelize = new Sequelize(database.url, { logging: false, define, pool });
});
afterAll(async () => {
  await sequelize.close();
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

/** Texts with many characters that have a meaning in the format of COPY. */
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom("\\", "N", "\t", "\n", "\r", ".", "x", "\b", '"') }),
);

describe("rows written by COPY", () => {
  it("are read back unchanged, whatever their texts contain", async () => {
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

  it("are all stored if they need many chunks", async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [`${at}\t${"x".repeat(40)}`, at, null]);
    await copyRows("copied (place, text, number, flag)", numbered(rows), client);
    expect(await stored()).toEqual(rows);
  });

  it("are not stored if one of them is rejected, and the connection stays usable", async () => {
    const rows = [
      [1, "one", 1, true],
      [1, "again", 2, true],
    ] as const;
    await expect(copyRows("copied", rows, client)).rejects.toMatchObject({ code: "23505" });
    expect(await stored()).toEqual([]);
  });

  it("are not stored if the table does not exist", async () => {
    await expect(copyRows("nowhere", [[1]], client)).rejects.toMatchObject({ code: "42P01" });
    expect(await stored()).toEqual([]);
  });

  it("are not stored if their source fails midway", async () => {
    function* rows(): Generator<CopyValue[]> {
      for (let at = 0; at < 10_000; at += 1) yield [at, "y".repeat(40), at, false];
      throw new Error("the source broke");
    }
    await expect(copyRows("copied", rows(), client)).rejects.toThrow("the source broke");
    expect(await stored()).toEqual([]);
  });

  it("are written to the columns of a model by field name, with objects as JSON", async () => {
    const { AtlasRegion } = defineModels(sequelize);
    const plain = { facet: "Felucca", name: null, type: "Town \t\\N", parent: null, level: 0 };
    const rest = { priority: 50, music: null, rune: null, guarded: true, housing: false };
    const ends = { logoutDelay: true, minExpansion: null, maxExpansion: "EJ", area: 0.5 };
    const places = { go: { x: 1, y: 2, z: -3 }, entrance: null };
    const region = { ...ends, ...places, ...rest, ...plain, id: 7, key: "k", generation: 1 };
    const given = { ...region, another: "is left out" };
    await copyModelRows(AtlasRegion, [given], client);
    expect((await AtlasRegion.findAll()).map((row) => row.get())).toEqual([region]);
  });

  it("are stored together or not at all if several COPY calls share a transaction", async () => {
    const first = copyInTransaction(sequelize, async (sql) => {
      await copyRows("copied", [[1, "one", 1, true]], sql);
      await copyRows("copied", [[1, "again", 2, true]], sql);
    });
    await expect(first).rejects.toMatchObject({ code: "23505" });
    expect(await stored()).toEqual([]);
    await copyInTransaction(sequelize, async (sql) => {
      await copyRows("copied", [[1, "one", 1, true]], sql);
      await copyRows("copied", [[2, "two", 2, null]], sql);
    });
    expect(await stored()).toEqual([
      ["one", 1, true],
      ["two", 2, null],
    ]);
  });
});
