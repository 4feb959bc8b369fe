import { unlimited } from "../accounts/unlimited.ts";
import { storeSetting } from "../factories/site.ts";
import { startTestServer, type TestServer } from "./server.ts";

let shared: Promise<TestServer> | undefined;

/**
 * Returns the API process shared by all test files of a worker that change nothing which another file sees:
 * they create their own users and do not test settings or limits. Users may register themselves and game
 * accounts, and no limit applies. It ends with the worker.
 */
export const sharedServer = (): Promise<TestServer> => (shared ??= start());

async function start(): Promise<TestServer> {
  const server = await startTestServer({ environment: unlimited });
  await storeSetting(server, "registration_enabled", true);
  await storeSetting(server, "game_account_signup", true);
  return server;
}
