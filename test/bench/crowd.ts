import { Client } from "pg";

import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { computeTotals } from "../../shared/survival/rankings/compute-totals.ts";
import { fillLargeDatabase } from "../http/large/plant-large.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import { testEnvironment } from "../support/service/server.ts";
import { type Bench, median, buildBenchRow } from "./bench.ts";
import type { LoadResult, RequestLoad } from "./http/load-client.ts";
import { startServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "crowd";

/** Connections for 200 anonymous reads per second in total. */
const strangers = { pages: 4, connections: 25, pauseMs: 500 };
/** Connections of 50 signed-in readers, who send one request per second each. */
const members = { connections: 50, pauseMs: 1_000 };

/**
 * Measures the delay of answers to signed-in users while anonymous clients read player pages. The baseline
 * (floor) is the delay without anonymous clients.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const players = short ? 2_000 : 100_000;
    await prepare({ databaseUrl, players });
    const web = await startServiceProcess("web", databaseUrl);
    const cookie = await signIn(web.url, databaseUrl);
    const member = await BenchProgram.start("http/load-client.ts");
    const crowd = await BenchProgram.start("http/load-client.ts");
    const ms = short ? 3_000 : 30_000;
    const askMembers = () => {
      const url = `${web.url}/api/v1/auth/me/account`;
      return member.call<LoadResult>("ask", { ...members, url, headers: { cookie }, ms });
    };
    const askPage = (at: number) => {
      const { pages, connections, pauseMs } = strangers;
      const steamId = String(76_561_198_000_000_001n + BigInt(Math.floor((players * at) / pages)));
      const url = `${web.url}/api/v1/public/survival/players/${steamId}`;
      return crowd.call<LoadResult>("ask", { url, connections, pauseMs, ms } satisfies RequestLoad);
    };
    const askBoth = async () => {
      const pages = Array.from({ length: strangers.pages }, (_, at) => askPage(at));
      const [beside] = await Promise.all([askMembers(), ...pages]);
      return beside;
    };
    try {
      // The first round warms up the processes and is not measured.
      await askBoth();
      const [quiet, crowded]: [number[], number[]] = [[], []];
      for (let round = 0; round < (short ? 1 : 3); round++) {
        quiet.push((await askMembers()).p99);
        crowded.push((await askBoth()).p99);
      }
      const figure = "p99 of signed-in reads beside 200 anonymous reads a second";
      const [ours, floor] = [median(crowded), median(quiet)];
      return [
        buildBenchRow({ bench: name, figure, ours, floor, unit: "ms", better: "lower", target: 2 }),
      ];
    } finally {
      await Promise.all([web.stop(), member.stop(), crowd.stop()]);
    }
  },
};

interface Site {
  readonly databaseUrl: string;
  readonly players: number;
}

async function prepare({ databaseUrl, players }: Site): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  await fillLargeDatabase(client, { players, listings: 20_000, events: 20_000 });
  await client.end();
  const sequelize = createConnectionPool(loadConfig(testEnvironment(databaseUrl)), name);
  await computeTotals({ sequelize });
  await sequelize.close();
}

/** Creates a user and signs the user in. @returns the session cookie */
async function signIn(url: string, databaseUrl: string): Promise<string> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, name);
  const user = await createTestUser({ context: { config, sequelize } });
  await sequelize.close();
  return logIn({ url }, user);
}
