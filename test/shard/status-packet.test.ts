import { createServer, type Server } from "node:net";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { StreamFrame } from "../../shared/platform/bridge/frames.ts";
import { requestStatus, readStatusPacket } from "../../shared/shard/sidecar/request-status.ts";
import { StatusFeed } from "../../shared/shard/sidecar/status-feed.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeIngestSource } from "../support/factories/shard.ts";
import { callRoute, wrongField } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";

/** A simulated game that answers status queries. `asked` contains the queries it got. */
interface Game {
  readonly port: number;
  readonly asked: Buffer[];
  clients: number;
  ageSec: number;
  /** The answer to send instead of the normal one. */
  answer: Buffer | null;
  stop(): Promise<void>;
}

const packetOf = (clients: number, ageSec: number): Buffer => {
  const packet = Buffer.alloc(27);
  packet.writeUInt8(0x51, 0);
  packet.writeUInt16BE(27, 1);
  packet.writeInt32BE(clients, 3);
  packet.writeInt32BE(51_800, 7);
  packet.writeInt32BE(3_900, 11);
  packet.writeUInt32BE(ageSec, 15);
  packet.writeBigInt64BE(734_003_200n, 19);
  return packet;
};

const games: Game[] = [];
async function startGame(): Promise<Game> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      game.asked.push(bytes);
      const answer = game.answer ?? packetOf(game.clients, game.ageSec);
      // Send the answer in two parts, as a network may deliver it.
      socket.write(answer.subarray(0, 5));
      setImmediate(() => socket.write(answer.subarray(5)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const game: Game = { port, asked: [], clients: 3, ageSec: 100, answer: null, stop };
  games.push(game);
  return game;
}
afterEach(async () => {
  for (const game of games.splice(0)) await game.stop();
});

describe("the status packet of a shard", () => {
  it("is requested with a seed and the packet F1, and read in network byte order", async () => {
    const game = await startGame();
    const status = await requestStatus({ host: "127.0.0.1", port: game.port }, 5_000);
    expect(status).toEqual({
      clients: 3,
      items: 51_800,
      mobiles: 3_900,
      ageSec: 100,
      memory: 734_003_200,
    });
    expect(Buffer.concat(game.asked).toString("hex")).toBe("7f000001f10004fe");
  });

  it.each([
    ["of another packet", Buffer.concat([Buffer.from([0x52]), packetOf(1, 1).subarray(1)])],
    ["of another length", Buffer.concat([Buffer.from([0x51, 0, 30]), Buffer.alloc(24)])],
  ])("is refused if the answer is %s", (_what, answer) => {
    expect(() => readStatusPacket(answer)).toThrow("the answer is not a status packet");
  });

  it("is given up after the timeout if the server does not finish its answer", async () => {
    const game = await startGame();
    game.answer = Buffer.from([0x51]);
    const asked = requestStatus({ host: "127.0.0.1", port: game.port }, 200);
    await expect(asked).rejects.toThrow("no answer in 200 ms");
  });
});

describe("the feed of status packets", () => {
  const kindsOf = (frames: readonly StreamFrame[]) =>
    frames.map((frame) => (frame.type === "event" ? frame.kind : frame.type));

  it("sends hello, heartbeats, online counts only when they change, and events when the shard goes away and returns", async () => {
    const game = await startGame();
    const options = {
      log: { warn: () => undefined } as never,
      cursor: () => Promise.resolve(null),
      onStatus: () => undefined,
    };
    const feed = new StatusFeed({ host: "127.0.0.1", port: game.port }, options, {
      everyMs: 20,
      withinMs: 2_000,
    });
    const heard: StreamFrame[] = [];
    const listening = (async () => {
      for (;;) heard.push(...(await feed.nextBatch(100)));
    })().catch(() => undefined);
    await waitUntil("it has beaten twice", () => heard.length >= 5);
    expect(kindsOf(heard.slice(0, 5))).toEqual([
      "hello",
      "live",
      "server.heartbeat",
      "presence.online",
      "server.heartbeat",
    ]);
    game.clients = 4;
    const count = () => kindsOf(heard).filter((kind) => kind === "presence.online").length;
    await waitUntil("the change is told", () => count() === 2);
    game.answer = Buffer.alloc(27);
    await waitUntil("it is gone", () => kindsOf(heard).includes("plugin"));
    game.answer = null;
    game.ageSec = 1;
    await waitUntil("it is back", () => count() === 3);
    const boots = heard.flatMap((frame) => (frame.type === "plugin" ? [frame.bootId] : []));
    const [hello] = heard;
    expect(boots).toEqual([null, expect.any(String)]);
    expect(boots[1]).not.toBe(hello?.type === "hello" && hello.bootId);
    await feed.stop();
    await listening;
  });
});

describe("a shard that is linked by its status packet", () => {
  let server: TestServer;
  let admin: SignedIn;
  let ingest: TestIngest | undefined;
  beforeAll(async () => {
    server = await startTestServer();
    admin = await signIn(server, { role: "admin" });
  });
  afterAll(async () => {
    await ingest?.stop();
    await server.stop();
  });

  const save = (body: object) =>
    callRoute(server, "PUT /admin/shardlink/config", { headers: admin.headers, body });

  it("is connected, shows the online count, and takes no commands", async () => {
    const game = await startGame();
    const link = { kind: "status", statusHost: "127.0.0.1", statusPort: game.port, enabled: true };
    expect((await save(link)).body).toMatchObject(link);
    ingest = await startTestIngest(server.context);
    const status = async () => (await callRoute(server, "GET /public/shard/status")).body;
    await waitUntil("three are online", async () => {
      const { onlineCount } = (await status()) as { onlineCount: number };
      return onlineCount === 3;
    });
    expect(await status()).toMatchObject({ status: "connected", pluginConnected: true });
    const config = await callRoute(server, "GET /admin/shardlink/config", {
      headers: admin.headers,
    });
    expect(config.body).toMatchObject({ status: "connected", reason: null, health: null });
    const answer = await callRoute(server, "POST /admin/shard/broadcast", {
      headers: admin.headers,
      body: { text: "Anybody?" },
    });
    expect([answer.status, answer.headers.get("x-error-code")]).toEqual([502, "shard_unsupported"]);
  });

  it("does not show a fault of the former kind of link after the kind has changed", async () => {
    await ingest?.stop();
    ingest = undefined;
    await save({ kind: "sidecar", enabled: false });
    await changeIngestSource(server, { state: "error", reason: "the sidecar refused the token" });
    const { body } = await save({ kind: "status", statusHost: "127.0.0.1", enabled: true });
    expect(body).toMatchObject({ kind: "status", status: "reconnecting", reason: null });
  });

  it("requires a host while it is on, and a link of another kind accepts no host", async () => {
    await save({ kind: "plugin", enabled: false });
    const bare = await save({ kind: "status", enabled: true });
    const message = "statusHost is required while the link is enabled";
    expect([bare.status, bare.body]).toEqual(wrongField("statusHost", message));
    const foreign = await save({ kind: "plugin", statusHost: "localhost" });
    expect([foreign.status, foreign.body]).toEqual(
      wrongField("statusHost", "statusHost is only for links of the kind status"),
    );
  });
});
