import { array, assert, asyncProperty, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";

import {
  FairQueue,
  type FairQueueOptions,
  WaitQueueTree,
} from "../../shared/platform/net/fair-queue.ts";
import { listNetworkKeys } from "../../shared/platform/net/networks.ts";

/**
 * Creates a queue whose tasks wait until the test calls `finish`.
 * @returns the queue and the order in which the tasks ended
 */
function makeQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ atOnce: 1, ...options });
  const done: string[] = [];
  const refused: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const all: Promise<void>[] = [];
  const come = (address: string, name = address) => {
    const work = async () => {
      await opened;
      done.push(name);
    };
    all.push(
      queue.run(address, work).catch(() => {
        refused.push(name);
      }),
    );
  };
  const finish = async () => {
    open();
    await Promise.all(all);
    return { done, refused: refused.toSorted() };
  };
  return { queue, come, finish };
}

const siteOf = (at: number): string => `2001:db8:0:${at.toString(16)}::1`;

describe("a fair queue", () => {
  it("serves a request of another network in the next turn, ahead of sixty waiting requests of one /48", async () => {
    const { come, finish } = makeQueue();
    for (let at = 0; at < 60; at += 1) come(siteOf(at));
    come("2001:db8:7::1", "honest");
    const { done } = await finish();
    // The first task was already running. After one task of the busy /48, the other network's task runs.
    expect(done.indexOf("honest")).toBe(2);
    expect(done).toHaveLength(61);
  });

  it("takes turns between the IPv6 /56 sites of a network, and between the addresses of a site", async () => {
    const { come, finish } = makeQueue();
    come("203.0.113.1", "at work");
    for (const at of [1, 2, 3]) come("2001:db8:0:100::1", `a${at}`);
    for (const at of [1, 2]) come("2001:db8:0:101::1", `b${at}`);
    come("2001:db8:0:200::1", "c1");
    const { done } = await finish();
    expect(done).toEqual(["at work", "a1", "c1", "b1", "a2", "b2", "a3"]);
  });

  it("takes turns between addresses of one IPv4 /24, however they are written", async () => {
    const { come, finish } = makeQueue();
    come("203.0.113.1", "at work");
    for (const at of [1, 2]) come("198.51.100.1", `a${at}`);
    come("::ffff:198.51.100.1", "a3");
    come("198.51.100.2", "b1");
    const { done } = await finish();
    expect(done).toEqual(["at work", "a1", "b1", "a2", "a3"]);
  });

  it("refuses requests of a network over its limit, and lets other networks wait", async () => {
    const { queue, come, finish } = makeQueue({ caps: { network: 2, total: 100 } });
    come("203.0.113.1", "at work");
    for (const at of [1, 2, 3]) come("198.51.100.1", `a${at}`);
    expect(queue.isFullFor("198.51.100.1")).toBe(true);
    expect(queue.isFullFor("192.0.2.1")).toBe(false);
    come("192.0.2.1", "b1");
    expect(await finish()).toEqual({ done: ["at work", "a1", "b1", "a2"], refused: ["a3"] });
  });

  it("when full, drops the last request of the network with the most waiting requests, to admit another network", async () => {
    const { queue, come, finish } = makeQueue({ caps: { network: 3, total: 4 } });
    come("203.0.113.1", "at work");
    for (const at of [1, 2, 3]) come("198.51.100.1", `a${at}`);
    come("192.0.2.1", "b1");
    expect([queue.isFullFor("192.0.2.1"), queue.isFullFor("198.51.100.1")]).toEqual([false, true]);
    come("192.0.2.1", "b2");
    come("192.0.2.1", "b3");
    expect(await finish()).toEqual({
      done: ["at work", "a1", "b1", "a2", "b2"],
      refused: ["a3", "b3"],
    });
  });

  it("at the limit of a network, drops the last request of the site with the most waiting requests, to admit another site", async () => {
    const { come, finish } = makeQueue({ caps: { network: 3, total: 100 } });
    come("203.0.113.1", "at work");
    for (const at of [1, 2, 3]) come("2001:db8:0:100::1", `a${at}`);
    come("2001:db8:0:200::1", "b1");
    expect(await finish()).toEqual({ done: ["at work", "a1", "b1", "a2"], refused: ["a3"] });
  });

  it("runs the next task after a task failed", async () => {
    const queue = new FairQueue({ atOnce: 1 });
    const failing = queue.run("192.0.2.1", () => Promise.reject(new Error("broken")));
    const next = queue.run("192.0.2.1", () => Promise.resolve("done"));
    await expect(failing).rejects.toThrow("broken");
    expect(await next).toBe("done");
    expect(queue.waiting).toBe(0);
  });

  const addresses = constantFrom(
    "192.0.2.1",
    "192.0.2.2",
    "198.51.100.1",
    "unknown",
    "2001:db8::1",
    "2001:db8:0:1::1",
    "2001:db8:0:100::1",
    "2001:db8:1::1",
  );

  it("runs or refuses each request exactly once, and never holds more requests than its limits", async () => {
    await assert(
      asyncProperty(array(addresses, { maxLength: 40 }), async (comers) => {
        const { queue, come, finish } = makeQueue({ atOnce: 2, caps: { network: 4, total: 9 } });
        comers.forEach((address, at) => {
          const willRefuse = queue.isFullFor(address);
          const before = queue.waiting;
          come(address, String(at));
          expect(willRefuse && queue.waiting !== before).toBe(false);
          expect(queue.waiting).toBeLessThanOrEqual(9);
        });
        const { done, refused } = await finish();
        const order = [...done, ...refused].map(Number).toSorted((one, other) => one - other);
        expect(order).toEqual(comers.map((_address, at) => at));
        expect(queue.waiting).toBe(0);
      }),
    );
  });

  it("gives each waiting network one turn before any network gets a second turn", () => {
    assert(
      property(array(addresses, { maxLength: 40 }), (comers) => {
        const tree = new WaitQueueTree<string>();
        for (const address of comers) tree.add(listNetworkKeys(address), address);
        for (let rest = tree.size; rest > 0;) {
          const widest = new Set(comers.map((address) => listNetworkKeys(address)[0] ?? ""));
          const waiting = [...widest].filter((network) => tree.countOf([network]) > 0);
          const round = waiting.map(() => listNetworkKeys(tree.takeNext())[0]);
          expect(new Set(round)).toEqual(new Set(waiting));
          rest = tree.size;
        }
      }),
    );
  });
});
