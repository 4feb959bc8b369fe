import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { oneStep } from "../events/specs.ts";
import { call, outcome } from "../support/call.ts";
import { overtake } from "../support/overtake.ts";
import { query } from "../support/query.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { unlimited } from "../support/unlimited.ts";

let server: TestServer;
let other: SignedIn;
beforeAll(async () => {
  server = await startTestServer({
    environment: {
      ...unlimited,
      // Nothing listens there.
      WEBHOOK_ALLOWED_ORIGINS: "http://127.0.0.1:9",
      OIDC_ALLOW_INSECURE: "true",
    },
  });
  other = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

/** What an administrator does, with a body that is right. */
const writes: Readonly<Record<string, object | undefined>> = {
  "PUT /admin/settings": { registration_enabled: true },
  "PUT /admin/site-mode": { site_mode: "maintenance" },
  "PUT /admin/discord-bot/config": { enabled: false },
  "PUT /admin/shard/visibility": { features: { market: { enabled: false } } },
  "PUT /admin/shardlink/config": { enabled: false },
  "PUT /admin/shard/atlas/path": { path: "/nowhere" },
  "PUT /admin/shard/clilocs/path": { path: "/nowhere" },
  "POST /admin/posts": { title: "Planted", body: "Planted" },
  "POST /admin/wiki": { title: "Planted", body: "Planted" },
  "POST /admin/pages": { title: "Planted", body: "Planted" },
  "POST /admin/webhooks": {
    name: "Planted",
    url: "http://127.0.0.1:9/hook",
    streams: ["news.post"],
  },
  "POST /admin/tokens": { name: "planted", role: "player", scopes: ["shard:read"] },
  "POST /admin/auth/providers": {
    id: "planted",
    name: "Planted",
    issuer: "http://127.0.0.1:9",
    clientId: "planted",
  },
  "POST /admin/invites": { role: "admin" },
  "POST /admin/users": { username: "planted", role: "admin" },
  "POST /admin/events": { title: "Planted", spec: oneStep({}) },
  "POST /admin/events/series": { name: "Planted" },
  "PUT /admin/events/actions": { actionId: "core.confirm", enabled: false },
  "POST /admin/jobs/queues/shard.prune-events/pause": undefined,
  "PUT /admin/survival/voice": { text: "Planted" },
};

const cuts = {
  "was signed out everywhere": "update users set generation = generation + 1 where id = $1",
  "was disabled": "update users set disabled_at = now() where id = $1",
} as const;

describe("what an administrator asks for", () => {
  it.each(Object.keys(writes))(
    "%s is not done once their session ended under way",
    async (route) => {
      for (const change of Object.values(cuts)) {
        const { userId, headers } = await signIn(server, { role: "admin" });
        const body = writes[route];
        const request = () => call(server, route, { headers, ...(body && { body }) });
        const answered = await overtake(server, { userId, change }, request);
        expect(outcome(answered)).toEqual([401, { error: "Not authenticated" }]);
        const lines = await query(
          server,
          "select action from activity_log where actor_id = $1 and action not like 'auth.%'",
          userId,
        );
        expect(lines).toEqual([]);
      }
    },
  );

  it("is done while the session lives, by the same requests", async () => {
    const refused = [];
    for (const [route, body] of Object.entries(writes)) {
      const { headers } = other;
      const { status } = await call(server, route, { headers, ...(body && { body }) });
      if (status >= 400) refused.push([route, status]);
      if (route.includes("site-mode")) {
        await call(server, route, { headers, body: { site_mode: "live" } });
      }
    }
    expect(refused).toEqual([]);
  });
});
