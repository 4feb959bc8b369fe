import { unlimited } from "../accounts/unlimited.ts";
import { storeSetting } from "../factories/site.ts";
import { startTestServer, type TestServer } from "./server.ts";

let shared: Promise<TestServer> | undefined;

/**
 * Returns the server that test files of a worker share. These files create their own users and test no settings
 * or limits, so that they change nothing that other files see. Users may register and create game accounts, and
 * no limits apply. The server ends with the worker.
 */
export const sharedServer = (): Promise<TestServer> => (shared ??= start());

async function start(): Promise<TestServer> {
  const server = await startTestServer({ environment: unlimited });
  await storeSetting(server, "registration_enabled", true);
  await storeSetting(server, "game_account_signup", true);
  return server;
}
