import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { startSimulator } from "../simulator/simulator.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import { testEnvironment } from "../support/service/server.ts";

/** The users of a fault run, and their game accounts. */
export interface FaultUsers {
  readonly links: readonly { readonly account: string; readonly userId: number }[];
  readonly adminId: number;
  /** Signs the administrator in. @returns headers of a signed-in request */
  signIn(url: string): Promise<{ readonly cookie: string }>;
}

const players = 6;

/** Creates an administrator, and players who are linked to game accounts of this seed's world. */
export async function preparePeople(databaseUrl: string, seed: string): Promise<FaultUsers> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, "faults");
  const server = { context: { config, sequelize } };
  try {
    const admin = await createTestUser(server, { role: "admin" });
    const links = [];
    for (const account of await accountsOf(seed)) {
      links.push({ account, userId: (await createTestUser(server)).userId });
    }
    return {
      links,
      adminId: admin.userId,
      signIn: async (url) => ({ cookie: await logIn({ url }, admin) }),
    };
  } finally {
    await sequelize.close();
  }
}

async function accountsOf(seed: string): Promise<string[]> {
  const simulator = await startSimulator({ seed, world: "small", boot: false });
  await simulator.stop();
  return simulator.world.accounts
    .values()
    .slice(0, players)
    .map(({ name }) => name);
}
