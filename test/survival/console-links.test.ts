import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { activityOf } from "../support/factories/site.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

const password = "s3cret!~$-of-the-console";
const link = { kind: "webrcon", rconHost: "127.0.0.1", rconPassword: password };

let made = 0;
const create = (fields: object) => {
  made += 1;
  const body = { name: `Console ${made}`, ...fields };
  return callRoute(server, "POST /admin/survival/servers", { headers: admin.headers, body });
};

async function createServer(fields: object = {}): Promise<number> {
  const answer = await create({ ...link, ...fields });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as { server: { id: number } }).server.id;
}

const change = (id: number, body: object) =>
  callRoute(server, `PUT /admin/survival/servers/${id}`, { headers: admin.headers, body });

const read = (id: number) =>
  callRoute(server, `GET /admin/survival/servers/${id}`, { headers: admin.headers });

const passwordOf = async (id: number) => {
  const sql = "select rcon_password_sealed as sealed from survival_servers where id = $1";
  return (await query<{ sealed: string | null }>(server, sql, id))[0]?.sealed;
};

/** Returns the status of an answer and the name of the invalid field. */
const refusedField = ({ status, body }: Pick<ApiAnswer, "status" | "body">) => [
  status,
  (body as { errors?: { path: string }[] }).errors?.[0]?.path,
];

describe("the link to a console", () => {
  it("is stored without showing the password in any answer or activity", async () => {
    const answer = await create({ ...link, enabled: true });
    expect(answer.body).toMatchObject({
      server: {
        kind: "webrcon",
        rconHost: "127.0.0.1",
        rconPort: 28_016,
        rconTls: false,
        hasPassword: true,
        hasToken: false,
      },
    });
    const { id } = (answer.body as { server: { id: number } }).server;
    await change(id, { rconPassword: `${password}2`, rconPort: 28_017, rconTls: true });
    const shown = await read(id);
    expect(shown.body).toMatchObject({ server: { rconPort: 28_017, rconTls: true } });
    const where = { action: ["survival.server.created", "survival.server.changed"] };
    const activity = await activityOf(server, where, ["detail"]);
    expect(activity.at(-1)?.detail).toMatchObject({
      fields: ["rconPort", "rconTls"],
      passwordChanged: true,
    });
    const stored = await query<{ text: string }>(
      server,
      `select row_to_json(survival_servers)::text as text from survival_servers
       union all select row_to_json(activity_log)::text from activity_log`,
    );
    const texts = [answer.text, shown.text, ...stored.map(({ text }) => text)];
    expect(texts.filter((text) => text.includes(password))).toEqual([]);
  });

  it("keeps its password if the request contains none, or an empty one", async () => {
    const id = await createServer();
    const before = await passwordOf(id);
    await change(id, { rconPassword: "", rconHost: "localhost" });
    await change(id, { name: "Renamed" });
    expect(before).toEqual(expect.any(String));
    expect(await passwordOf(id)).toBe(before);
  });

  it.each(["with space", "hash#", "umlautä", "line\nend", "del\u007f"])(
    "refuses the password %j, names its field and does not repeat it",
    async (bad) => {
      const answer = await create({ ...link, rconPassword: bad });
      expect(refusedField(answer)).toEqual([400, "rconPassword"]);
      expect(answer.text).not.toContain(JSON.stringify(bad).slice(1, -1));
    },
  );

  it.each([
    ["rconPort", 0],
    ["rconPort", 65_536],
    ["rconHost", "no host"],
    ["rconTls", "perhaps"],
  ])("refuses %s %j", async (field, value) => {
    const answer = await create({ ...link, [field]: value });
    expect(refusedField(answer)).toEqual([400, field]);
  });

  it.each([
    ["webrcon", { baseUrl: "http://127.0.0.1:1" }, "baseUrl"],
    ["webrcon", { token: "a-game-token-of-long" }, "token"],
    ["webrcon", { protocol: 13 }, "protocol"],
    ["sidecar", { rconHost: "localhost" }, "rconHost"],
    ["plugin", { rconPassword: password }, "rconPassword"],
    ["plugin", { rconPort: 28_016 }, "rconPort"],
    ["sidecar", { rconTls: true }, "rconTls"],
  ])(
    "is refused for the kind %s with the fields %j of another kind",
    async (kind, fields, field) => {
      const answer = await create({ kind, ...fields });
      expect(refusedField(answer)).toEqual([400, field]);
    },
  );

  it.each([
    [{ rconHost: "127.0.0.1" }, "rconPassword"],
    [{ rconPassword: password }, "rconHost"],
  ])("cannot be enabled with only %j", async (fields, field) => {
    const answer = await create({ kind: "webrcon", enabled: true, ...fields });
    expect(refusedField(answer)).toEqual([400, field]);
  });

  it("loses its host and password when the kind changes to sidecar, as a sidecar loses its token", async () => {
    const id = await createServer();
    const sidecar = {
      kind: "sidecar",
      baseUrl: "http://127.0.0.1:1",
      wsUrl: "ws://127.0.0.1:1",
      token: "a-game-token-of-long",
    };
    expect((await change(id, sidecar)).body).toMatchObject({
      server: { kind: "sidecar", rconHost: "", hasPassword: false, hasToken: true },
    });
    expect(await passwordOf(id)).toBeNull();
    expect((await change(id, { kind: "webrcon" })).body).toMatchObject({
      server: { baseUrl: "", wsUrl: "", hasToken: false, hasPassword: false },
    });
  });

  it("cannot get a plugin key", async () => {
    const id = await createServer();
    const options = { headers: admin.headers, body: {} };
    const answer = await callRoute(
      server,
      `POST /admin/survival/servers/${id}/plugin-key`,
      options,
    );
    expect(answer.headers.get("x-error-code")).toBe("link_kind");
  });

  it("is reported by its test if the password cannot be decrypted", async () => {
    const id = await createServer();
    await query(
      server,
      "update survival_servers set rcon_password_sealed = 'other:AAAA' where id = $1",
      id,
    );
    const route = `POST /admin/survival/servers/${id}/test`;
    const answer = await callRoute(server, route, { headers: admin.headers });
    expect(statusAndBodyOf(answer)).toEqual([
      200,
      {
        ok: false,
        protocol: 13,
        code: "UNAUTHORIZED",
        reason: "the stored password cannot be read; save it again",
      },
    ]);
  });
});
