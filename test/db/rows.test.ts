import { Client } from "pg";
import type { Sequelize, Transaction } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runAsCaller, stopRightsChecks } from "../../shared/platform/access/caller-rights.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import {
  executeStatement,
  type Database,
  firstRow,
  rows,
  isUniqueViolation,
} from "../../shared/platform/db/rows.ts";
import { inCallersTransaction, inTransaction } from "../../shared/platform/db/transaction.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { testEnvironment } from "../support/service/server.ts";

let database: TestDatabase;
let sequelize: Sequelize;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = connectTo({});
  client = new Client(database.url);
  await client.connect();
  await client.query("create table things (id integer primary key, name text)");
});

afterAll(async () => {
  await client.end();
  await sequelize.close();
  await database.drop();
});

/** Opens a connection pool like that of a process, with extra environment variables. */
const connectTo = (environment: NodeJS.ProcessEnv): Sequelize =>
  createConnectionPool(loadConfig({ ...testEnvironment(database.url), ...environment }), "test");

/** Runs the same work on the pool, in a transaction and on a single connection. */
const everywhere = async <T>(work: (on: Database) => Promise<T>): Promise<T[]> => [
  await work(sequelize),
  await inTransaction(sequelize, work),
  await work(client),
];

/** Runs a named statement twice. @returns the prepared statements of the connection */
async function askTwice(on: Database) {
  const named = { name: "double", text: "\n  select $1::integer * 2 as doubled" };
  const answers = [await firstRow(on, named, [21]), await firstRow(on, named, [22])];
  const prepared = await rows(on, "select name from pg_prepared_statements where name = 'double'");
  return { answers, prepared };
}

describe("a query helper", () => {
  it("answers rows, the first row or the count of changed rows on a pool, a transaction and a client", async () => {
    const done = await everywhere(async (on) => [
      await executeStatement(on, "insert into things (id, name) values ($1, $2), ($3, null)", [
        1,
        "lamp",
        2,
      ]),
      await rows(on, "insert into things (id, name) values ($1, $2) returning name", [
        3,
        undefined,
      ]),
      await executeStatement(on, "update things set name = $1 where id > $2", ["$2 'x' $$", 1]),
      await firstRow(on, "select name from things where id = $1", [2]),
      await firstRow(on, "select name from things where id = $1", [9]),
      await executeStatement(on, "delete from things"),
      await rows(on, "select * from things"),
    ]);
    const once = [2, [{ name: null }], 2, { name: "$2 'x' $$" }, undefined, 3, []];
    expect(done).toEqual([once, once, once]);
  });

  it("prepares a named statement once for each connection, also in a pool", async () => {
    const once = { answers: [{ doubled: 42 }, { doubled: 44 }], prepared: [{ name: "double" }] };
    expect(await everywhere(askTwice)).toEqual([once, once, once]);
  });

  it("prepares no statement behind a transaction pooler, because the next query may use another connection", async () => {
    const pooled = connectTo({ DATABASE_LISTEN_URL: database.url });
    try {
      expect(await inTransaction(pooled, askTwice)).toEqual({
        answers: [{ doubled: 42 }, { doubled: 44 }],
        prepared: [],
      });
    } finally {
      await pooled.close();
    }
  });

  it("recognizes a unique violation among other faults, on a pool, a transaction and a client", async () => {
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

  it("refuses a transaction object that Sequelize made", async () => {
    const transaction = await sequelize.transaction();
    await expect(rows(transaction, "select 1")).rejects.toThrow(
      "the transaction was not started by this module",
    );
    await transaction.rollback();
  });
});

describe("a transaction within the request of a signed-in caller", () => {
  const insert = (transaction: Transaction) =>
    rows(transaction, "insert into things (id) values (90)").then(() => "stored");
  const asCaller = <T>(answer: () => Promise<T>, check = () => Promise.resolve()) =>
    runAsCaller(check, answer);

  it("is refused if it does not check the caller's rights", async () => {
    await expect(asCaller(() => inTransaction(sequelize, insert))).rejects.toThrow(
      "use inCallersTransaction() to answer a request",
    );
    expect(await rows(sequelize, "select id from things where id = 90")).toEqual([]);
  });

  it("writes nothing if the check finds that the caller lost the rights", async () => {
    const lost = () => Promise.reject(new Error("the session has ended"));
    const answer = () => inCallersTransaction(sequelize, insert);
    await expect(asCaller(answer, lost)).rejects.toThrow("the session has ended");
    expect(await rows(sequelize, "select id from things where id = 90")).toEqual([]);
  });

  it("does not check the session again after a command was sent to a game, so that the result of the command is stored", async () => {
    const lost = () => Promise.reject(new Error("the session has ended"));
    const answer = () => {
      stopRightsChecks();
      return inTransaction(sequelize, insert);
    };
    expect(await asCaller(answer, lost)).toBe("stored");
    await rows(sequelize, "delete from things where id = 90");
  });
});
