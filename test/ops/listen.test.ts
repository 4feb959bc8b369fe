import { setImmediate as allSettled } from "node:timers/promises";

import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createLogger } from "../../shared/platform/log.ts";
import type { Channel } from "../../shared/platform/notify/channels.ts";
import { Listener } from "../../shared/platform/notify/listener.ts";
import { WatchedValue } from "../../shared/platform/notify/live-value.ts";
import { OwnTimers } from "../support/clock/own-timers.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { type MuteProxy, startMuteProxy } from "../support/network/mute-proxy.ts";

const log = createLogger("test", "silent");
let database: TestDatabase;
let admin: Client;
let proxy: MuteProxy;
let listener: Listener;

beforeEach(async () => {
  database = await createTestDatabase();
  admin = new Client(database.url);
  await admin.connect();
  proxy = await startMuteProxy(database.url);
  listener = new Listener({
    url: proxy.url,
    log,
    echoMs: 100,
    maxBackoffMs: 100,
    patienceMs: 500,
  });
});
afterEach(async () => {
  await listener.stop();
  await proxy.stop();
  await admin.end();
  await database.drop();
});

const openConnections = async () => {
  const { rows } = await admin.query<{ open: number }>(
    `select count(*)::integer as open from pg_stat_activity
     where datname = current_database() and application_name = 'guildhall listen'`,
  );
  return rows[0]?.open;
};

const cutConnections = () =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'guildhall listen'`,
  );

describe("a cached setting that is reloaded after each change", () => {
  afterEach(() => void vi.useRealTimers());

  const secondPasses = async () => {
    vi.advanceTimersByTime(1_000);
    await allSettled();
  };

  it("is read again every second while reading fails, until its LISTEN connection is stopped", async () => {
    vi.useFakeTimers({ toNotFake: ["setImmediate"] });
    let reads = 0;
    const read = () => {
      reads += 1;
      return Promise.reject(new Error("the pool is closed"));
    };
    const value = new WatchedValue({ channel: "settings", read, initial: 7, listener, log });
    await value.refresh();
    await secondPasses();
    await secondPasses();
    expect(reads).toBe(3);
    await listener.stop();
    for (let second = 0; second < 10; second++) await secondPasses();
    expect(reads).toBe(4);
    expect(value.current).toBe(7);
  });
});

describe("a LISTEN connection", () => {
  it.each(["no JSON", '"text"', "null", "7"])(
    "ignores and logs the malformed notification %j",
    async (payload) => {
      const warned = vi.spyOn(log, "warn");
      const heard: unknown[] = [];
      listener.on("shard_events", ({ lastId }) => heard.push(lastId));
      await listener.start();
      await admin.query("select pg_notify('shard_events', $1)", [payload]);
      await admin.query(`select pg_notify('shard_events', '{"lastId":7}')`);
      await waitUntil("what follows is heard", () => heard.length > 0);
      expect(heard).toEqual([7]);
      expect(warned.mock.calls).toEqual([
        [{ channel: "shard_events" }, "a notification could not be read"],
      ]);
      warned.mockRestore();
    },
  );

  it("is ready once it receives notifications on channels added after its start", async () => {
    await listener.start();
    const heard: unknown[] = [];
    // The lock delays the confirmations of LISTEN. If `settled` resolved too early, the second notification would
    // be missed.
    await admin.query("begin");
    await admin.query("select pg_notify('survival_servers', '{\"serverId\":1}')");
    listener.on("shard_events", ({ lastId }) => heard.push(lastId));
    listener.on("survival_servers", ({ serverId }) => heard.push(serverId));
    await listener.settled();
    await admin.query("commit");
    await admin.query(`select pg_notify('shard_events', '{"lastId":7}')`);
    await waitUntil("both are heard", () => heard.length > 1);
    expect(heard).toEqual([1, 7]);
  });

  it("closes every connection on which LISTEN fails", async () => {
    await listener.start();
    let tries = 0;
    listener.onGap(() => (tries += 1));
    listener.on("no channel" as Channel, () => undefined);
    const warned = vi.spyOn(log, "warn");
    await cutConnections();
    await waitUntil("the connection is missed", () => warned.mock.calls.length > 0);
    warned.mockRestore();
    await waitUntil("it has tried several times", async () => {
      const { rows } = await admin.query<{ tried: number }>(
        "select sessions::integer as tried from pg_stat_database where datname = current_database()",
      );
      return (rows[0]?.tried ?? 0) > 5;
    });
    expect(await openConnections()).toBeLessThanOrEqual(1);
    expect(tries).toBe(0);
  });

  it("reconnects when it falls silent, and reports that notifications may be lost", async () => {
    const heard: number[] = [];
    let gaps = 0;
    listener.on("shard_events", ({ lastId }) => heard.push(lastId));
    await listener.start();
    listener.onGap(() => (gaps += 1));
    proxy.mute();
    await waitUntil("it connects anew", () => gaps > 0);
    await admin.query(`select pg_notify('shard_events', '{"lastId":8}')`);
    await waitUntil("it hears again", () => heard.length > 0);
    expect(heard).toEqual([8]);
  });

  it("can be stopped although the server no longer answers", async () => {
    await listener.start();
    proxy.muteAll();
    await listener.stop();
    expect(listener.echoAgeMs).toBeGreaterThan(0);
  });

  it("stops connecting when it is stopped during its start", async () => {
    proxy.muteAll();
    const starting = listener.start().catch((error: unknown) => error);
    await waitUntil("it connects", () => proxy.countSilent() > 0);
    await listener.stop();
    expect(await starting).toEqual(new Error("the connection was ended"));
  });

  it("leaves no timer running after it is stopped", async () => {
    const timers = new OwnTimers();
    await timers.run(async () => {
      let gaps = 0;
      await listener.start();
      listener.onGap(() => (gaps += 1));
      await cutConnections();
      await waitUntil("it connects anew", () => gaps > 0);
      expect(timers.count()).toBeGreaterThan(0);
      await listener.stop();
    });
    await allSettled();
    expect(timers.count()).toBe(0);
    timers.stop();
  });

  it("closes a new connection that was being opened when it was stopped", async () => {
    await listener.start();
    proxy.muteAll();
    await cutConnections();
    proxy.unmute();
    await listener.stop();
    await waitUntil("what it began has ended", () => proxy.countHeard() === 0);
    expect(await openConnections()).toBe(0);
  });
});
