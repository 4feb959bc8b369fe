import { afterAll, beforeAll, expect, it } from "vitest";

import { unlinkDeletedUser } from "../../shared/shard/links/unlinking.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { linkShardPlugin } from "../support/plugin/linked-plugin.ts";
import type { TestPlugin } from "../support/plugin/test-plugin.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let plugin: TestPlugin;
beforeAll(async () => {
  server = await startTestServer();
  plugin = await linkShardPlugin(server, await signIn(server, { role: "admin" }));
  await plugin.hello();
});
afterAll(() => server.stop());

it("a deleted user is unlinked on a shard with a plugin link", async () => {
  await server.context.shard.reload();
  const unlinking = unlinkDeletedUser(4711, server.context);
  const links = [{ account: "maple", userId: 4711, linkedAt: 1_767_323_045_000 }];
  const calls: string[] = [];
  for (const body of [{ links }, { links }, { account: "maple", unlinked: true }]) {
    const command = await Promise.race([plugin.serve(200, body), unlinking]);
    calls.push(command?.call ?? "none");
  }
  expect(calls).toEqual(["GET /v1/links", "GET /v1/links", "DELETE /v1/links/:account"]);
  await unlinking;
});
