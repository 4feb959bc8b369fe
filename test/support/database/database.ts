import { randomBytes } from "node:crypto";

import { Client } from "pg";

/** The database of a test file: a copy of the migrated template. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

async function asAdmin<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(process.env["TEST_POSTGRES_URL"]);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export const createTestDatabase = (): Promise<TestDatabase> =>
  create(async (client, name) => {
    // Copy one database at a time: the template is locked while it is copied.
    await client.query("select pg_advisory_lock(1)");
    // The default strategy copies through the WAL and takes three times as long.
    await client.query(`create database ${name} template template strategy file_copy`);
  });

/** Creates a database without a schema. */
export const createEmptyDatabase = (): Promise<TestDatabase> =>
  create(async (client, name) => void (await client.query(`create database ${name}`)));

async function create(
  make: (client: Client, name: string) => Promise<void>,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asAdmin((client) => make(client, name));
  const url = new URL(process.env["TEST_POSTGRES_URL"] ?? "");
  url.pathname = `/${name}`;
  const drop = () => asAdmin((client) => client.query(`drop database ${name} with (force)`));
  return { url: url.href, drop: async () => void (await drop()) };
}
