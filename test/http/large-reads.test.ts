import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";
import { renewPool } from "../../shared/platform/db/connection/connection.ts";
import { computeTotals } from "../../shared/survival/rankings/compute-totals.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { queryOnce } from "../support/database/query-once.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import {
  collectExplainedStatements,
  type ExplainedStatement,
  explainingSettings,
} from "./large/explained.ts";
import { fillLargeDatabase } from "./large/plant-large.ts";
import { largeRequests, notAsked, readsMore } from "./large/requests.ts";
import { largeSize } from "./large/size.ts";

/**
 * The maximum numbers of rows and pages that a request may read. They take about 20 ms if the pages
 * are cached.
 */
const mostRows = 25_000;
const mostPages = 6_000;

let database: TestDatabase;
let server: TestServer;
let told: ExplainedStatement[];

beforeAll(async () => {
  database = await createTestDatabase();
  const client = new Client(database.url);
  await client.connect();
  try {
    await fillLargeDatabase(client, largeSize);
  } finally {
    await client.end();
  }
  const { pathname } = new URL(database.url);
  for (const setting of explainingSettings) {
    await queryOnce(database.url, `alter database ${pathname.slice(1)} set ${setting}`);
  }
  server = await startTestServer({ database });
  await computeTotals(server.context);
  told = collectExplainedStatements(server.context.sequelize);
  // Open new connections, because only they report plans.
  renewPool(server.context.sequelize);
}, 3_600_000);
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);

async function read(path: string): Promise<number> {
  told.length = 0;
  server.context.keptAnswers.clear();
  const answered = await fetch(`${server.url}/api/v1${path}`);
  await answered.arrayBuffer();
  return answered.status;
}

describe(`an anonymous read of ${largeSize.players} players, ${largeSize.listings} listings and ${largeSize.events} events`, () => {
  it.for(largeRequests)("reads few rows and few database pages: %s", async (path, { annotate }) => {
    expect(await read(path)).toBe(200);
    const [rows, pages] = [told.map((one) => one.rows), told.map((one) => one.pages)].map(sum);
    const ms = sum(told.map((one) => one.ms)).toFixed(1);
    await annotate(`${ms} ms, ${rows} rows, ${pages} pages`);
    const bound = readsMore[path]?.times ?? 1;
    const largest = told.toSorted((one, other) => other.rows - one.rows)[0];
    expect(rows, `${largest?.text}\n${largest?.plan}`).toBeLessThanOrEqual(mostRows * bound);
    expect(pages, `${largest?.text}\n${largest?.plan}`).toBeLessThanOrEqual(mostPages * bound);
  });

  it("is tested for every public route except those listed with a reason", () => {
    const asked = largeRequests.map((path) => `/api/v1${path.replace(/\?.*/, "")}`);
    const unasked = routes
      .filter(
        ({ method, gate }) =>
          method === "get" && (gate === "public" || gate.startsWith("feature:")),
      )
      .map(({ path }) => path)
      .filter((path) => !asked.some((given) => patternOf(path).test(given)));
    expect(unasked.toSorted()).toEqual(Object.keys(notAsked).toSorted());
  });
});

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
