import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute, type CallOptions, statusAndBodyOf, wrongField } from "../support/http/call.ts";
import { forgetPlugins } from "../support/plugin/linked-plugin.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
});
afterAll(() => server.stop());

const as = (who: SignedIn, route: string, { body = {} }: CallOptions = {}) =>
  callRoute(server, route, { headers: who.headers, body });

interface Link {
  readonly name: string;
  /** Creates a link with these fields. @returns the path of the link's plugin key */
  make(this: void, fields: object): Promise<string>;
  change(this: void, fields: object): Promise<{ status: number; body: unknown }>;
  readonly game: string;
  readonly action: string;
}

let serverId = 0;
const links: Link[] = [
  {
    name: "the shard",
    make: async (fields) => {
      await as(admin, "PUT /admin/shardlink/config", { body: { ...fields } });
      return "/admin/shardlink/plugin-key";
    },
    change: (body) => as(admin, "PUT /admin/shardlink/config", { body }),
    game: "uo",
    action: "shardlink.key",
  },
  {
    name: "a survival server",
    make: async (fields) => {
      const name = `Server ${Math.random()}`;
      const made = await as(admin, "POST /admin/survival/servers", { body: { name, ...fields } });
      serverId = (made.body as { server: { id: number } }).server.id;
      return `/admin/survival/servers/${serverId}/plugin-key`;
    },
    change: (body) => as(admin, `PUT /admin/survival/servers/${serverId}`, { body }),
    game: "rust",
    action: "survival.server.key",
  },
];

describe.each(links)("the key of $name", ({ make, change, game, action }) => {
  it("is shown once with the setup command, and stored nowhere in plain text", async () => {
    const path = await make({ kind: "plugin", enabled: true });
    const made = await as(admin, `POST ${path}`);
    const url = "http://localhost:3000/api/v1/plugin";
    expect(statusAndBodyOf(made)).toEqual([
      201,
      {
        key: expect.stringMatching(/^ghk_[\w-]{43}$/),
        url,
        command: expect.stringMatching(/^guildhall\.setup http:\S+ ghk_[\w-]{43}$/),
      },
    ]);
    const { key } = made.body as { key: string };
    const plugin = new TestPlugin(server, key);
    plugin.game = game;
    expect((await plugin.hello()).status).toBe(200);
    const stored = await query<{ text: string }>(
      server,
      `select row_to_json(plugin_keys)::text as text from plugin_keys
       union all select row_to_json(activity_log)::text from activity_log
       union all select row_to_json(plugin_sessions)::text from plugin_sessions`,
    );
    expect(stored.filter(({ text }) => text.includes(key.slice(4)))).toEqual([]);
    const lines = await activityOf(server, { action: `${action}.create` }, ["actorId", "detail"]);
    expect(lines.at(-1)).toMatchObject({ actorId: admin.userId, detail: {} });
  });

  it("is created and deleted only by administrators", async () => {
    const path = await make({ kind: "plugin" });
    for (const verb of ["POST", "DELETE"]) {
      expect((await as(moderator, `${verb} ${path}`)).status).toBe(403);
      expect((await callRoute(server, `${verb} ${path}`, { body: {} })).status).toBe(401);
    }
  });

  it("is answered 409 for a link of another kind", async () => {
    const path = await make({ kind: "sidecar", enabled: false });
    const refusal = await as(admin, `POST ${path}`);
    expect(refusal.status).toBe(409);
    expect(refusal.headers.get("x-error-code")).toBe("link_kind");
  });

  it("is answered 404 if there is no key to delete", async () => {
    await forgetPlugins(server);
    const path = await make({ kind: "plugin" });
    expect((await as(admin, `DELETE ${path}`)).status).toBe(404);
  });

  it("works if it is the newest key, or the former key while the newest is unused", async () => {
    await forgetPlugins(server);
    const path = await make({ kind: "plugin", enabled: true });
    const keys: TestPlugin[] = [];
    for (let made = 0; made < 3; made += 1) {
      const { body } = await as(admin, `POST ${path}`);
      const plugin = new TestPlugin(server, (body as { key: string }).key);
      keys.push(Object.assign(plugin, { game, bootId: keys[0]?.bootId ?? plugin.bootId }));
    }
    const [first, former, newest] = keys as [TestPlugin, TestPlugin, TestPlugin];
    expect((await first.hello()).status).toBe(401);
    expect((await former.hello()).status).toBe(200);
    expect((await newest.hello()).status).toBe(200);
    expect((await former.hello()).status).toBe(401);
    expect(statusAndBodyOf(await as(admin, `DELETE ${path}`))).toEqual([200, { ended: 1 }]);
    expect((await newest.hello()).status).toBe(401);
  });

  it("ends when the link changes to another kind, which also removes address and token", async () => {
    await forgetPlugins(server);
    const path = await make({ kind: "plugin", enabled: true });
    const { body } = await as(admin, `POST ${path}`);
    const plugin = new TestPlugin(server, (body as { key: string }).key);
    plugin.game = game;
    expect((await plugin.hello()).status).toBe(200);
    const sidecar = {
      kind: "sidecar",
      baseUrl: "http://127.0.0.1:9",
      wsUrl: "ws://127.0.0.1:9",
      token: "s3cret",
    };
    expect((await change(sidecar)).status).toBe(200);
    expect((await plugin.hello()).status).toBe(401);
    const back = await change({ kind: "plugin" });
    expect(back.status).toBe(200);
    const shown =
      "server" in (back.body as object) ? (back.body as { server: object }).server : back.body;
    expect(shown).toMatchObject({
      kind: "plugin",
      baseUrl: "",
      wsUrl: "",
      hasToken: false,
      hasKey: false,
      keyCreatedAt: null,
      keyLastUsedAt: null,
    });
  });

  it.each(["baseUrl", "wsUrl", "token", "protocol"])(
    "cannot be combined with %s, a field of sidecar links only",
    async (field) => {
      await make({ kind: "plugin" });
      const value = field === "protocol" ? (game === "uo" ? 8 : 13) : "";
      const answer = await change({ [field]: value });
      expect([answer.status, answer.body]).toEqual(
        wrongField(field, `${field} is only for links of the kind sidecar`),
      );
    },
  );
});
