import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "pg";
import { Sequelize } from "sequelize";

import { countChanged, type Database, firstRow, rows } from "../../shared/db/rows.ts";
import { inTransaction } from "../../shared/db/transaction.ts";
import { isUniqueViolation } from "../../shared/db/unique-violation.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let sequelize: Sequelize;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = new Sequelize(database.url, { logging: false });
  client = new Client(database.url);
  await client.connect();
  await client.query("create table things (id integer primary key, name text)");
});

afterAll(async () => {
  await client.end();
  await sequelize.close();
  await database.drop();
});

/** The same work on the pool, in a transaction and on a connection of one's own. */
const everywhere = async <T>(work: (on: Database) => Promise<T>): Promise<T[]> => [
  await work(sequelize),
  await inTransaction(sequelize, work),
  await work(client),
];

describe("one way to run SQL", () => {
  it("answers rows, the first row, and how many rows changed, whatever it runs on", async () => {
    const done = await everywhere(async (on) => [
      await countChanged(on, "insert into things (id, name) values ($1, $2), ($3, null)", [
        1,
        "lamp",
        2,
      ]),
      await rows(on, "insert into things (id, name) values ($1, $2) returning name", [
        3,
        undefined,
      ]),
      await countChanged(on, "update things set name = $1 where id > $2", ["$2 'x' $$", 1]),
      await firstRow(on, "select name from things where id = $1", [2]),
      await firstRow(on, "select name from things where id = $1", [9]),
      await countChanged(on, "delete from things"),
      await rows(on, "select * from things"),
    ]);
    const once = [2, [{ name: null }], 2, { name: "$2 'x' $$" }, undefined, 3, []];
    expect(done).toEqual([once, once, once]);
  });

  it("prepares a named statement on a connection of one's own, and on no pooled one", async () => {
    const named = { name: "double", text: "select $1::integer * 2 as doubled" };
    expect(await everywhere((on) => firstRow(on, named, [21]))).toEqual([
      { doubled: 42 },
      { doubled: 42 },
      { doubled: 42 },
    ]);
    const prepared = await everywhere((on) =>
      rows(on, "select name from pg_prepared_statements where name = 'double'"),
    );
    expect(prepared).toEqual([[], [], [{ name: "double" }]]);
  });

  it("a row whose key is taken is told apart from other faults, whatever it runs on", async () => {
    const told = await everywhere((on) =>
      rows(on, "insert into things (id) values (7), (7)").then(
        () => "stored",
        (error: unknown) => isUniqueViolation(error),
      ),
    ).catch(() => "the transaction ended");
    expect(told).toEqual([true, true, true]);
    const other = await rows(sequelize, "select 1 / 0").catch(isUniqueViolation);
    expect(other).toBe(false);
  });

  it("a transaction that did not begin with inTransaction is refused", async () => {
    const transaction = await sequelize.transaction();
    await expect(rows(transaction, "select 1")).rejects.toThrow(
      "a transaction begins with inTransaction()",
    );
    await transaction.rollback();
  });
});
