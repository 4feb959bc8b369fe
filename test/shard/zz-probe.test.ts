import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "@jest/globals";
import { Registry } from "prom-client";
import { startInternalServer } from "../../shared/ops/internal-server.ts";
import { becomeOwner } from "../../shared/ingest/ownership.ts";
import { storeBatch } from "../../shared/shard/ingest/store-batch.ts";
import { startTestServer } from "../support/server.ts";
import { signIn, createTestUser } from "../support/sign-in.ts";
import { call } from "../support/call.ts";
import { connect } from "node:net";

const raw = (port: number, text: string) => new Promise<string>((resolve) => {
  const socket = connect(port, "127.0.0.1"); let got = "";
  socket.on("data", (d) => { got += d; socket.end(); });
  socket.on("close", () => resolve(got)); socket.on("error", (e) => resolve(String(e)));
  socket.write(text); setTimeout(() => socket.destroy(), 1500);
});
const ev = (seq: number, kind: string, payload: object, epoch = "11111111-1111-4111-8111-111111111111", eventKey: string | null = null) =>
  ({ type: "event", epoch, seq, bootId: "b", eventKey, kind, t: 1, replay: false, payload }) as never;

it("probe", async () => {
  const server = await startTestServer();
  const out: unknown[] = [];
  const { context, config } = server;
  const q = async (t: string) => (await context.sequelize.query(t))[0];
  const admin = await signIn(server, { role: "admin" });
  const as = (r: string, o: object = {}) => call(server, r, { headers: admin.headers, ...o });
  // B
  const put = await as("PUT /admin/shardlink/config", { body: { baseUrl: "http://127.0.0.1:1", wsUrl: "ws://127.0.0.1:1", token: "x", enabled: true }, headers: { ...admin.headers, origin: "http://localhost:3000" } });
  out.push(["put", put.status, put.text.slice(0, 300)]);
  await q("update shardlink set token_sealed = 'other:AAAA'");
  const got = await as("GET /admin/shardlink/config");
  out.push(["B", got.status, got.text.slice(0, 200)]);
  // C
  for (const features of ['{"__proto__":{"enabled":false}}', '{"constructor":{"enabled":false}}', '{"market":{"__proto__":{"enabled":false}}}', '{"market":{"fieldRules":{"__proto__":"admin"}}}', '{"market":{"enabled":"false"}}', '{"market":{"audience":1}}','{"toString":null}']) {
    const r = await as("PUT /admin/shard/visibility", { body: `{"features":${features}}`, headers: { ...admin.headers, origin: "http://localhost:3000" } });
    out.push(["C", features, r.status, r.text.slice(0, 160)]);
  }
  // D
  for (const p of ["accounts", "houses", "online", "sales", "standing"]) {
    const r = await as(`GET /admin/users/9007199254740991/shard/${p}`);
    out.push(["D", p, r.status, r.text.slice(0, 100)]);
  }
  for (const r of ["/public/shard/points/%ff", "/public/shard/points/%00", "/public/shard/stream?lastEventId=1&lastEventId=2", "/admin/shard/audit?limit=1e2", "/admin/shard/audit?limit=0x10", "/admin/shard/audit?limit=", "/admin/shard/char/0x0", "/admin/shard/roster/%2e%2e", "/player/shard/vendors/..%2f..", "/admin/shard/roster/%20", "/public/shard/market?q=%00", "/admin/users/1e0/shard/sales", "/admin/users/-1/shard/sales", "/admin/shard/sales?limit=501", "/public/shard/features", "/public/shard/market?map[]=x&__proto__=1"]) {
    const c = new AbortController(); const t = setTimeout(() => c.abort(), 2000);
    try { const x = await fetch(`${server.url}/api/v1${r}`, { headers: admin.headers, signal: c.signal }); 
      const text = /event-stream/.test(x.headers.get("content-type") ?? "") ? "SSE" : await x.text();
      out.push(["I", r, x.status, text.slice(0, 130)]); } catch (e) { out.push(["I", r, String(e)]); }
    clearTimeout(t); c.abort();
  }
  const port = Number(new URL(server.url).port);
  for (const line of ["GET // HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n", "GET /api/v1/public/shard/status?%ff=%c0 HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "GET /api/v1/public/shard/status HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: zz\r\nAccept: ;;;\r\nOrigin: \xff\r\n\r\n"])
    out.push(["raw", line.slice(0, 40), (await raw(port, line)).slice(0, 30)]);
  // E, F
  const user = await createTestUser(server);
  const owner = await becomeOwner({ url: config.DATABASE_URL, source: "shard", log: context.log, signal: new AbortController().signal });
  await storeBatch([ev(1, "account.linked", { acct: "Stranger", webId: 987654 }), ev(2, "presence.login", { serial: "0x00000001", name: "Anon", acct: "Stranger" }), ev(3, "account.linked", { acct: "Null", webId: null }), ev(4, "presence.login", { serial: "0x00000002", name: "Anon2", acct: "null" }), ev(5, "account.linked", { acct: "Good", webId: user.userId }), ev(6, "presence.login", { serial: "0x00000003", name: "Good", acct: "good" }), ev(7, "chat.message", { text: "x" }, undefined, "key-1")], owner);
  out.push(["E", await q("select seq, kind, reach from shard_events order by id")]);
  out.push(["F1", await q("select last_event_at, (select max(created_at) from shard_events) as newest from ingest_sources")]);
  await new Promise((r) => setTimeout(r, 50));
  await storeBatch([ev(1, "chat.message", { text: "x" }, "22222222-1111-4111-8111-111111111111", "key-1")], owner);
  out.push(["F2", await q("select last_event_at, (select max(created_at) from shard_events) as newest, received, duplicates from ingest_sources")]);
  // H
  await storeBatch([ev(8, "house.upsert", JSON.parse('{"__proto__":{"serial":"0x00000009","stage":"IDOC"}}')), ev(9, "house.removed", JSON.parse('{"__proto__":{"serial":"0x00000009"}}'))], owner).catch((e) => out.push(["H", String(e)]));
  out.push(["H", await q("select seq, kind, reach, payload from shard_events where seq >= 8 order by id")]);
  await owner.release();
  console.log(JSON.stringify(out, null, 1));
  await server.stop();
  // A
  const internal = await startInternalServer({ process: "t", host: "127.0.0.1", port: 0, registry: new Registry(), readiness: {} });
  const ip = (internal.address() as AddressInfo).port;
  process.once("uncaughtException", (e) => console.log("UNCAUGHT", e.message));
  console.log("A", await raw(ip, "GET // HTTP/1.1\r\nHost: x\r\n\r\n"));
  internal.close();
  void httpRequest; expect(1).toBe(1);
}, 60_000);
