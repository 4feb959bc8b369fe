import { unlimited } from "../accounts/unlimited.ts";
import { storeSetting } from "../factories/site.ts";
import { startTestServer, type TestServer } from "./server.ts";

let shared: Promise<TestServer> | undefined;

/**
 * The one API process of all test files of a worker that change nothing which another file sees:
 * they make their own users, and neither settings nor limits are their subject. Users may register
 * themselves and their game accounts, and no request meets a limit. It ends with the worker.
 */
export const sharedServer = (): Promise<TestServer> => (shared ??= start());

async function start(): Promise<TestServer> {
  const server = await startTestServer({ environment: unlimited });
  await storeSetting(server, "registration_enabled", true);
  await storeSetting(server, "game_account_signup", true);
  return server;
}
