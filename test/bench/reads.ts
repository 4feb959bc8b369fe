import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import { testEnvironment } from "../support/service/server.ts";
import { type Bench, compareWithFloor, type FigureValues, type BenchRow } from "./bench.ts";
import type { LoadResult, RequestLoad } from "./http/load-client.ts";
import type { Usage } from "./parts/answering.ts";
import { startServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "reads";
const connections = 16;

/**
 * Measures reads of one web process over persistent connections. The baseline (floor) is an Express without
 * middleware that sends the same answers. The client is cheap enough to saturate the server, so the target
 * applies to the rate, which includes the database's work. The CPU time of the process is reported too.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const asker = await BenchProgram.start("http/load-client.ts");
    const web = await startServiceProcess("web", databaseUrl);
    const bare = await BenchProgram.start("http/floor.ts", { DATABASE_URL: databaseUrl });
    const usage = { ours: () => web.usage(), floor: () => bare.call<Usage>("usage") };
    try {
      const rows: BenchRow[] = [];
      for (const read of await prepareReads(web.url, databaseUrl, bare)) {
        rows.push(...(await measure(read, { asker, usage, short })));
      }
      return rows;
    } finally {
      await Promise.all([web.stop(), bare.stop(), asker.stop()]);
    }
  },
};

type SideName = "ours" | "floor";
type Target = Pick<RequestLoad, "url" | "headers">;

/** A measured route: its URL and headers at the service and at the baseline. */
interface Read extends Readonly<Record<SideName, Target>> {
  readonly what: string;
  /** The target of the rate. */
  readonly target: number;
}

async function prepareReads(
  origin: string,
  databaseUrl: string,
  bare: BenchProgram,
): Promise<Read[]> {
  const floorOrigin = await bare.call<string>("listen");
  const plainUrl = `${origin}/api/v1/public/shard/status`;
  await bare.call("keep", await readAnswer(plainUrl));
  const { cookie, userId } = await signIn(origin, databaseUrl);
  const authorization = `Bearer ${await bare.call<string>("signIn", { userId })}`;
  const plain = { url: plainUrl };
  const signedIn = { url: `${origin}/api/v1/auth/me/account`, headers: { cookie } };
  const reads = [
    { what: "plain read", target: 0.85, ours: plain, floor: { url: `${floorOrigin}/plain` } },
    {
      what: "signed-in read",
      target: 0.9,
      ours: signedIn,
      floor: { url: `${floorOrigin}/account`, headers: { authorization } },
    },
  ];
  for (const read of reads) await requireSameBody(read);
  return reads;
}

/** Signs in a real user. @returns the headers of the session */
async function signIn(url: string, databaseUrl: string) {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, name);
  const user = await createTestUser({ context: { config, sequelize } });
  await sequelize.close();
  return { userId: user.userId, cookie: await logIn({ url }, user) };
}

/** Headers that an HTTP server sets by itself, so the baseline does not copy them. */
const ownHeaders = ["connection", "content-length", "date", "keep-alive"];

async function readAnswer(url: string) {
  const response = await fetch(url);
  const headers = [...response.headers].filter(([header]) => !ownHeaders.includes(header));
  return { text: await response.text(), headers: Object.fromEntries(headers) };
}

async function requireSameBody({ what, ours, floor }: Read): Promise<void> {
  const [our, their] = await Promise.all([ours, floor].map(readBody));
  if (our !== their) throw new Error(`${what}: ours answers ${our}, the floor ${their}`);
}

async function readBody({ url, headers = {} }: Target): Promise<string> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}

interface Measured {
  readonly asker: BenchProgram;
  readonly usage: Readonly<Record<SideName, () => Promise<Usage>>>;
  readonly short: boolean;
}

async function measure(read: Read, { asker, usage, short }: Measured): Promise<BenchRow[]> {
  const { what, target } = read;
  const ask = (side: SideName, ms: number) =>
    asker.call<LoadResult>("ask", { ...read[side], connections, ms });
  const run = (side: SideName) => async (): Promise<FigureValues> => {
    const before = await usage[side]();
    const { answers, perSecond, p50, p99 } = await ask(side, short ? 700 : 1_500);
    const { cpuSeconds } = await usage[side]();
    return {
      [`${what}, rate`]: perSecond,
      [`${what}, of the process alone`]: answers / (cpuSeconds - before.cpuSeconds),
      [`${what}, p50`]: p50,
      [`${what}, p99`]: p99,
    };
  };
  for (const side of ["ours", "floor"] as const) await ask(side, short ? 500 : 2_000);
  const figures = {
    [`${what}, rate`]: { unit: "reads/s", better: "higher", target },
    [`${what}, of the process alone`]: { unit: "reads/CPU s", better: "higher" },
    [`${what}, p50`]: { unit: "ms", better: "lower" },
    [`${what}, p99`]: { unit: "ms", better: "lower" },
  } as const;
  return compareWithFloor(name, figures, {
    rounds: short ? 1 : 9,
    ours: run("ours"),
    floor: run("floor"),
  });
}
