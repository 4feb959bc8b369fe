import { afterEach, beforeEach, describe, expect, it } from "vitest";

import {
  type Cursor,
  cursorOfFrame,
  type StreamFrame,
} from "../../shared/platform/bridge/frames.ts";
import type {
  SocketOptions,
  SocketStatus,
} from "../../shared/platform/bridge/socket/socket-options.ts";
import { BridgeSocket } from "../../shared/platform/bridge/socket/socket.ts";
import { createLogger } from "../../shared/platform/log.ts";
import {
  bootId,
  epoch,
  buildEventFrame,
  buildHelloFrame,
  otherEpoch,
  startStreamServer,
  type AcceptedConnection,
} from "./stream-server.ts";
import { pollUntil } from "./until.ts";

const fast = {
  handshakeMs: 2_000,
  helloMs: 2_000,
  pingMs: 10_000,
  deadMs: 20_000,
  firstRetryMs: 1,
  lastRetryMs: 10,
  refusedRetryMs: 5,
  ackMs: 100,
};

let server: Awaited<ReturnType<typeof startStreamServer>>;
let socket: BridgeSocket;
let statuses: SocketStatus[];
let stored: Cursor | null;

function open(options: Partial<SocketOptions> = {}): BridgeSocket {
  socket = new BridgeSocket({
    cursor: () => Promise.resolve(stored),
    log: createLogger("test", "silent"),
    onStatus: (status) => statuses.push(status),
    ...options,
    timing: { ...fast, ...options.timing },
  });
  socket.restart(settings());
  return socket;
}

const settings = () => ({ wsUrl: `${server.url}?tenant=7`, token: "s3cret", protocol: 8 });

/**
 * Takes batches until `count` frames have arrived.
 * @returns the frames' types, with the seq or range if a frame has one
 */
async function take(count: number): Promise<string[]> {
  const frames: StreamFrame[] = [];
  while (frames.length < count) frames.push(...(await socket.nextBatch(1_000)));
  return frames.map(describeFrame);
}

function describeFrame(frame: StreamFrame): string {
  if (frame.type === "event") return `event ${frame.seq}`;
  if (frame.type === "gap") return `gap ${frame.from}-${frame.to} ${frame.reason}`;
  if (frame.type !== "rejected") return frame.type;
  return `rejected ${frame.reason} ${frame.cursor?.seq ?? "nowhere"}`;
}

/** Waits for the nth client and sends it a hello and these frames. */
async function greet(nth: number, fields: object, ...frames: (object | string | Buffer)[]) {
  const visit = await server.visit(nth);
  visit.send(buildHelloFrame(fields), ...frames);
  return visit;
}

const acks = (visit: AcceptedConnection) => visit.received.map(({ seq }) => seq);

beforeEach(async () => {
  server = await startStreamServer();
  statuses = [];
  stored = null;
});

afterEach(async () => {
  await socket.stop();
  await server.close();
});

describe("a connection of BridgeSocket", () => {
  it("sends its token and protocol without compression, and at first no cursor", async () => {
    open();
    const { url, headers } = await server.visit(1);
    expect(Object.fromEntries(url.searchParams)).toEqual({ tenant: "7", protocol: "8" });
    expect(headers.authorization).toBe("Bearer s3cret");
    expect(headers["sec-websocket-extensions"]).toBeUndefined();
  });

  it("resumes after the stored cursor", async () => {
    stored = { epoch, seq: 41 };
    open();
    const { url } = await server.visit(1);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: "7",
      protocol: "8",
      epoch,
      after: "41",
    });
  });

  it("passes on hello, gaps, replay, live and events in order", async () => {
    stored = { epoch, seq: 1 };
    open();
    await greet(
      1,
      { head: 6, oldest: 3 },
      { type: "gap", from: 2, to: 3, reason: "dropped" },
      { type: "gap", from: 5, to: 5, reason: "lost" },
      buildEventFrame(4, { replay: true }),
      buildEventFrame(6, { replay: true }),
      { type: "live", head: 6 },
      { type: "weather" },
      buildEventFrame(7),
      { type: "plugin", connected: false, bootId: null },
    );
    expect(await take(8)).toEqual([
      "hello",
      "gap 2-3 dropped",
      "event 4",
      "gap 5-5 lost",
      "event 6",
      "live",
      "event 7",
      "plugin",
    ]);
    expect(socket.stats).toEqual({
      received: 3,
      duplicates: 0,
      rejected: 0,
      gaps: 2,
      ignored: 1,
      waiting: 0,
      lastAckAt: null,
    });
  });

  it("reports each state of the connection, and the state of the game process", async () => {
    open();
    const visit = await greet(1, {});
    await take(1);
    visit.send({ type: "plugin", connected: false, bootId: null });
    await take(1);
    visit.send({ type: "plugin", connected: true, bootId });
    await take(1);
    visit.socket.close(1001, "restarting");
    await pollUntil(() => socket.status.state === "reconnecting" && socket.status.reason !== null);
    socket.restart(null);
    await pollUntil(() => socket.status.state === "disconnected");
    expect(statuses).toEqual([
      { state: "reconnecting", reason: null, pluginConnected: false },
      { state: "connected", reason: null, pluginConnected: true },
      { state: "connected", reason: null, pluginConnected: false },
      { state: "connected", reason: null, pluginConnected: true },
      { state: "reconnecting", reason: "closed (1001 restarting)", pluginConnected: false },
      { state: "disconnected", reason: null, pluginConnected: false },
    ]);
  });
});

describe("a reconnect of BridgeSocket", () => {
  it("continues after the last event, without reading the cursor again and without duplicates", async () => {
    let asked = 0;
    open({
      cursor: () => {
        asked += 1;
        return Promise.resolve(null);
      },
    });
    const first = await greet(1, {}, buildEventFrame(1), buildEventFrame(2));
    expect(await take(3)).toEqual(["hello", "event 1", "event 2"]);
    first.socket.terminate();
    const second = await greet(2, { head: 2 }, buildEventFrame(2), buildEventFrame(3));
    expect(second.after).toBe("2");
    expect(await take(2)).toEqual(["hello", "event 3"]);
    expect(socket.stats.duplicates).toBe(1);
    expect(asked).toBe(1);
  });

  it("sends no cursor if the buffer ends before the cursor, and reads the whole buffer", async () => {
    stored = { epoch, seq: 41 };
    open();
    await greet(1, { head: 3 });
    const visit = await greet(2, { head: 2, oldest: 1 }, buildEventFrame(1), buildEventFrame(2));
    expect(visit.after).toBeNull();
    expect(await take(3)).toEqual(["hello", "event 1", "event 2"]);
    expect(statuses).toContainEqual({
      state: "reconnecting",
      reason: "the buffer ends at 3, before 41",
      pluginConnected: false,
    });
  });

  it("sends no cursor if the buffer became shorter, and may then acknowledge lower seqs than before", async () => {
    stored = { epoch, seq: 40 };
    open({ timing: { ackMs: 1 } });
    const first = await greet(1, { head: 41 }, buildEventFrame(41));
    await take(2);
    socket.committed({ epoch, seq: 41 });
    await pollUntil(() => first.received.length === 1);
    first.socket.terminate();
    await greet(2, { head: 3 });
    const third = await greet(3, { head: 3, oldest: 3 }, buildEventFrame(3));
    expect(third.after).toBeNull();
    await take(2);
    socket.committed({ epoch, seq: 3 });
    await pollUntil(() => third.received.length === 1);
    expect(acks(third)).toEqual([3]);
  });

  it("reads a recreated buffer from its start, and keeps the frames that were waiting", async () => {
    stored = { epoch, seq: 4 };
    open();
    const first = await greet(1, { head: 5 }, buildEventFrame(5));
    await pollUntil(() => socket.stats.waiting === 2);
    first.socket.terminate();
    await greet(2, { epoch: otherEpoch, head: 1 }, buildEventFrame(1, { epoch: otherEpoch }));
    expect(await take(4)).toEqual(["hello", "event 5", "hello", "event 1"]);
  });

  it("happens at a hole in the sequence, and asks for the missing events", async () => {
    open();
    await greet(1, {}, buildEventFrame(1), buildEventFrame(3));
    const second = await greet(2, { head: 3 }, buildEventFrame(2), buildEventFrame(3));
    expect(second.after).toBe("1");
    expect(await take(5)).toEqual(["hello", "event 1", "hello", "event 2", "event 3"]);
  });

  it("happens at a hole, and the third attempt skips the hole with a gap", async () => {
    open();
    for (const nth of [1, 2, 3]) {
      await greet(nth, { head: 4 }, buildEventFrame(1), buildEventFrame(4));
    }
    expect(await take(6)).toEqual([
      "hello",
      "event 1",
      "hello",
      "hello",
      "gap 2-3 hole",
      "event 4",
    ]);
    expect(socket.stats).toMatchObject({ gaps: 1, received: 2 });
  });

  it("happens at an impossible seq, and the third attempt rejects that event", async () => {
    open();
    for (const nth of [1, 2]) {
      await greet(nth, { head: 1 }, buildEventFrame(1), buildEventFrame(2 ** 53 - 1, { t: 1 }));
    }
    await greet(
      3,
      { head: 1 },
      buildEventFrame(1),
      buildEventFrame(2 ** 53 - 1, { t: 1 }),
      buildEventFrame(2),
    );
    expect(await take(6)).toEqual([
      "hello",
      "event 1",
      "hello",
      "hello",
      "rejected cursor nowhere",
      "event 2",
    ]);
  });

  it("happens after an oversized frame, and after the second attempt the frame is skipped with a gap", async () => {
    open();
    const huge = buildEventFrame(2, { payload: { padding: "x".repeat(1_100_000) } });
    for (const nth of [1, 2]) await greet(nth, { head: 3 }, buildEventFrame(1), huge);
    const third = await greet(3, { head: 3 }, buildEventFrame(3));
    expect(third.after).toBe("2");
    expect(await take(6)).toEqual([
      "hello",
      "event 1",
      "hello",
      "gap 2-2 oversized",
      "hello",
      "event 3",
    ]);
  });

  it("happens if neither a frame nor a pong arrives before the timeout", async () => {
    await server.close();
    server = await startStreamServer({ autoPong: false });
    open({ timing: { pingMs: 10, deadMs: 40 } });
    const first = await greet(1, {});
    await server.visit(2);
    await pollUntil(() => first.closed);
    expect(first.pings).toBeGreaterThan(0);
    expect(statuses).toContainEqual({
      state: "reconnecting",
      reason: "no frame for 0.04 s",
      pluginConnected: false,
    });
  });

  it("does not happen while pongs arrive", async () => {
    open({ timing: { pingMs: 100, deadMs: 1_500 } });
    const first = await greet(1, {});
    await pollUntil(() => first.pings > 20);
    expect(server.visits).toHaveLength(1);
  });

  it("happens if the sidecar sends no hello", async () => {
    open({ timing: { handshakeMs: 200, helloMs: 1 } });
    await server.visit(2);
    await pollUntil(() => statuses.some(({ reason }) => reason === "no hello"));
    expect(socket.stats).toMatchObject({ received: 0, waiting: 0 });
  });

  it("happens if another readable frame comes before the hello, and no frame is passed on", async () => {
    open();
    const first = await server.visit(1);
    first.send(buildEventFrame(1), buildHelloFrame());
    await server.visit(2);
    expect(socket.status.reason).toBe("the first frame is not a hello");
    expect(socket.stats.waiting).toBe(0);
  });

  it("does not happen for unreadable frames before the hello, which are passed on as rejected", async () => {
    open();
    const first = await server.visit(1);
    first.send(
      "<html>",
      buildEventFrame(7, { kind: "No Kind" }),
      buildHelloFrame({ head: 1 }),
      buildEventFrame(1),
    );
    expect(await take(4)).toEqual([
      "rejected json nowhere",
      "rejected kind nowhere",
      "hello",
      "event 1",
    ]);
    expect(socket.stats).toMatchObject({ received: 3, rejected: 2 });
    expect(server.visits).toHaveLength(1);
  });

  it("happens after a failure to read the stored cursor, once the cursor can be read", async () => {
    let fails = 2;
    open({
      cursor: () => {
        fails -= 1;
        return fails >= 0 ? Promise.reject(new Error("database is down")) : Promise.resolve(null);
      },
    });
    await server.visit(1);
    expect(statuses).toContainEqual(expect.objectContaining({ reason: "database is down" }));
  });
});

describe("A refused BridgeSocket", () => {
  it.each([
    [401, {}, "the sidecar refused the token"],
    [
      409,
      { code: "PROTOCOL", server: 9, client: 8 },
      "the sidecar speaks protocol 9, this link is set to 8",
    ],
  ])(
    "is in the error state after the status %i until it is accepted",
    async (status, body, reason) => {
      server.refuse({ status, body });
      open();
      await pollUntil(() => server.refused >= 3);
      expect(statuses).toEqual([
        { state: "reconnecting", reason: null, pluginConnected: false },
        { state: "error", reason, pluginConnected: false },
      ]);
      server.refuse(null);
      await greet(1, {});
      await take(1);
      expect(socket.status.state).toBe("connected");
    },
  );

  it("is in the error state if the hello names another protocol", async () => {
    open();
    await greet(1, { protocol: 7 });
    await pollUntil(() => socket.status.state === "error");
    expect(socket.status.reason).toBe("the sidecar speaks protocol 7, this link is set to 8");
  });

  it("stays in the error state if a later attempt fails for another reason, until an attempt succeeds", async () => {
    server.refuse({ status: 401 });
    open();
    await pollUntil(() => socket.status.state === "error");
    server.refuse({ status: 503 });
    await pollUntil(() => socket.status.reason === "the sidecar answered 503");
    expect(socket.status.state).toBe("error");
    server.refuse(null);
    await greet(1, {});
    await pollUntil(() => socket.status.state === "connected");
    expect(socket.status.reason).toBeNull();
  });

  it.each([
    [423, { code: "LOCKED" }, "another client holds the stream"],
    [503, {}, "the sidecar answered 503"],
    [302, {}, "the sidecar answered 302"],
  ])(
    "is in the reconnecting state after the status %i and gives the reason",
    async (status, body, reason) => {
      server.refuse({ status, body });
      open();
      await pollUntil(() => server.refused >= 2);
      expect(socket.status).toEqual({ state: "reconnecting", reason, pluginConnected: false });
    },
  );

  it("is in the reconnecting state with ECONNREFUSED if nothing listens at the address", async () => {
    const gone = await startStreamServer();
    await gone.close();
    open();
    socket.restart({ ...settings(), wsUrl: gone.url });
    await pollUntil(() => socket.status.reason === "ECONNREFUSED");
    expect(socket.status.state).toBe("reconnecting");
  });

  it("reconnects at once with the new settings when they are saved", async () => {
    server.refuse({ status: 401 });
    open({ timing: { refusedRetryMs: 1_000_000 } });
    await pollUntil(() => socket.status.state === "error");
    server.refuse(null);
    socket.restart({ ...settings(), token: "other" });
    const { headers } = await server.visit(1);
    expect(headers.authorization).toBe("Bearer other");
  });
});

describe("BridgeSocket with invalid frames", () => {
  it("passes invalid frames on as rejected, each with its cursor, and continues", async () => {
    open();
    await greet(
      1,
      {},
      buildEventFrame(1, { kind: "Odd Kind" }),
      "{ not json",
      buildEventFrame(2, { payload: { padding: "x".repeat(300_000) } }),
      buildEventFrame(1, { epoch: otherEpoch }),
      buildEventFrame(3, { t: "x", epoch: otherEpoch }),
      Buffer.from([0, 159, 146, 150]),
      buildEventFrame(2, { kind: "Odd Kind" }),
      buildEventFrame(3),
    );
    expect(await take(8)).toEqual([
      "hello",
      "rejected kind 1",
      "rejected json nowhere",
      "rejected size 2",
      "rejected cursor nowhere",
      "rejected t nowhere",
      "rejected json nowhere",
      "event 3",
    ]);
    expect(socket.stats).toMatchObject({ rejected: 6, duplicates: 1 });
    expect(server.visits).toHaveLength(1);
  });

  it("keeps the connection after text that is not UTF-8", async () => {
    open();
    const broken = Buffer.from(JSON.stringify(buildEventFrame(1)));
    broken[broken.indexOf("line")] = 0xff;
    await greet(1, {}, broken, buildEventFrame(2));
    expect(await take(3)).toEqual(["hello", "event 1", "event 2"]);
  });
});

describe("an acknowledgment of BridgeSocket", () => {
  it("names the highest committed seq at intervals, and is not sent if nothing is new", async () => {
    open({ timing: { ackMs: 300 } });
    const visit = await greet(
      1,
      {},
      ...Array.from({ length: 50 }, (_, i) => buildEventFrame(i + 1)),
    );
    await take(51);
    for (let seq = 1; seq <= 50; seq += 1) socket.committed({ epoch, seq });
    socket.committed({ epoch, seq: 49 });
    await pollUntil(() => visit.received.length === 2);
    expect(visit.received).toEqual([
      { type: "ack", epoch, seq: 1 },
      { type: "ack", epoch, seq: 50 },
    ]);
    socket.committed({ epoch, seq: 50 });
    socket.committed({ epoch, seq: 49 });
    socket.committed(null);
    visit.send(buildEventFrame(51));
    await take(1);
    socket.committed({ epoch, seq: 51 });
    await pollUntil(() => visit.received.length === 3);
    expect(acks(visit)).toEqual([1, 50, 51]);
    expect(socket.stats.lastAckAt).toBeInstanceOf(Date);
  });

  it("is sent after a reconnect for seqs that were committed while disconnected, but never for a seq of a former buffer", async () => {
    open({ timing: { ackMs: 1 } });
    const first = await greet(1, {}, buildEventFrame(1));
    await take(2);
    first.socket.terminate();
    await pollUntil(() => socket.status.state === "reconnecting");
    socket.committed({ epoch, seq: 1 });
    const second = await greet(2, { head: 1 });
    await pollUntil(() => second.received.length === 1);
    expect(acks(second)).toEqual([1]);
    second.socket.terminate();
    const third = await greet(
      3,
      { epoch: otherEpoch, head: 1 },
      buildEventFrame(1, { epoch: otherEpoch }),
    );
    await take(3);
    socket.committed({ epoch, seq: 2 });
    socket.committed({ epoch: otherEpoch, seq: 1 });
    await pollUntil(() => third.received.length === 1);
    expect(third.received).toEqual([{ type: "ack", epoch: otherEpoch, seq: 1 }]);
  });

  it("is sent for the last committed seq before the socket stops, whatever the interval", async () => {
    open({ timing: { ackMs: 1_000_000 } });
    const visit = await greet(1, {}, buildEventFrame(1), buildEventFrame(2));
    await take(3);
    socket.committed({ epoch, seq: 1 });
    socket.committed({ epoch, seq: 2 });
    await socket.stop();
    await pollUntil(() => visit.closed);
    expect(acks(visit)).toEqual([1, 2]);
  });
});

describe("BridgeSocket under backpressure", () => {
  it("stops reading while too many frames wait, and loses none", async () => {
    open({ bounds: { waitingFrames: 20 }, timing: { pingMs: 100, deadMs: 1_000 } });
    const total = 20_000;
    const visit = await greet(1, {});
    for (let seq = 1; seq <= total; seq += 1) {
      visit.send(buildEventFrame(seq, { payload: { padding: "x".repeat(1_000) } }));
    }
    await pollUntil(() => socket.stats.waiting > 20);
    // Wait for longer than the silence limit, counted in pings. The server must not end a connection that is
    // silent because its client reads slowly.
    const { pings } = visit;
    await pollUntil(() => visit.pings > pings + 12);
    expect(visit.socket.bufferedAmount).toBeGreaterThan(0);
    expect(socket.stats.waiting).toBeLessThan(total / 2);
    const frames: StreamFrame[] = [];
    while (frames.length < total + 1) frames.push(...(await socket.nextBatch(1_000)));
    const seqs = frames.flatMap((frame) => (frame.type === "event" ? [frame.seq] : []));
    expect(seqs).toEqual(Array.from({ length: total }, (_, at) => at + 1));
    expect(frames.map(cursorOfFrame).findLast(Boolean)).toEqual({ epoch, seq: total });
    expect(server.visits).toHaveLength(1);
  });

  it("can be stopped while it is paused", async () => {
    open({ bounds: { waitingFrames: 2 } });
    const visit = await greet(1, {}, buildEventFrame(1), buildEventFrame(2), buildEventFrame(3));
    await pollUntil(() => socket.stats.waiting > 2);
    await socket.stop();
    await pollUntil(() => visit.closed);
    await expect(socket.nextBatch(1)).rejects.toThrow("the bridge socket was stopped");
  });
});

describe("restart and nextBatch of BridgeSocket", () => {
  it("restart resumes from the stored cursor and drops the waiting frames", async () => {
    open();
    await greet(1, {}, buildEventFrame(1), buildEventFrame(2));
    await pollUntil(() => socket.stats.waiting === 3);
    stored = { epoch, seq: 1 };
    socket.restart(settings());
    const second = await greet(2, { head: 2 }, buildEventFrame(2));
    expect(second.after).toBe("1");
    expect(await take(2)).toEqual(["hello", "event 2"]);
  });

  it("restart passes on no frame that arrived before it", async () => {
    open();
    await greet(1, {}, buildEventFrame(1), buildEventFrame(2));
    await pollUntil(() => socket.stats.waiting === 3);
    stored = { epoch, seq: 1 };
    socket.restart(settings());
    expect(socket.stats.waiting).toBe(0);
    const next = take(2);
    await greet(2, { head: 2 }, buildEventFrame(2));
    expect(await next).toEqual(["hello", "event 2"]);
  });

  it("repeated restarts end with the last settings on one connection", async () => {
    open();
    for (const token of ["a", "b", "c"]) socket.restart({ ...settings(), token });
    const visit = await greet(1, {});
    await take(1);
    expect(visit.headers.authorization).toBe("Bearer c");
    socket.restart(null);
    await pollUntil(() => visit.closed);
    expect(server.visits).toHaveLength(1);
  });

  it("nextBatch rejects when its signal aborts", async () => {
    open();
    const leaving = new AbortController();
    const batch = socket.nextBatch(10, leaving.signal);
    leaving.abort(new Error("shutting down"));
    await expect(batch).rejects.toThrow("shutting down");
  });
});
