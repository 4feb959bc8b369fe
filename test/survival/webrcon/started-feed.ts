import pino from "pino";

import type { Cursor, EventFrame, StreamFrame } from "../../../shared/platform/bridge/frames.ts";
import type { Logger } from "../../../shared/platform/log.ts";
import type { CommandOutcome } from "../../../shared/platform/plugin/commands.ts";
import { ConsoleFeed, type ConsoleTiming } from "../../../shared/survival/webrcon/console-feed.ts";
import type { ConsoleStore } from "../../../shared/survival/webrcon/console-store.ts";
import type { ConsoleSession } from "../../../shared/survival/webrcon/console-types.ts";
import {
  type ConsoleOptions,
  type ConsoleSimulator,
  startConsole,
} from "../../simulator/console/console-simulator.ts";
import { waitUntil } from "../../support/clock/wait.ts";

/** Short intervals, so that tests are fast. */
export const fast: ConsoleTiming = {
  serverInfoMs: 50,
  playerListMs: 60,
  onlineMs: 600_000,
  soonestListMs: 10,
  probeMs: 150,
  firstRetryMs: 5,
  lastRetryMs: 20,
  shortestRetryMs: 5,
  inventoryPaceMs: 1,
};

/**
 * Returns a store that knows no earlier game. If `mostRefused` dials are reserved, a further dial must wait
 * until `free` is called for an earlier dial.
 */
export function createMemoryConsoleStore(mostRefused = Infinity): ConsoleStore {
  let dials = 0;
  return {
    reserveDial: () => {
      if (dials >= mostRefused) {
        return Promise.resolve({ waitMs: 60_000, free: () => Promise.resolve() });
      }
      dials += 1;
      const free = () => {
        dials -= 1;
        return Promise.resolve();
      };
      return Promise.resolve({ waitMs: 0, free });
    },
    read: () =>
      Promise.resolve({
        game: { bootId: null, startedAt: null, saveId: null },
        starts: new Map<string, number>(),
      }),
  };
}

export interface StartedFeed {
  readonly feed: ConsoleFeed;
  readonly frames: StreamFrame[];
  readonly sessions: (ConsoleSession | null)[];
  readonly logged: string[];
  /** Returns the events of a kind taken so far. */
  readonly events: (kind: string) => EventFrame[];
  /** Waits for a number of events of a kind and returns them. */
  readonly untilEvents: (kind: string, count?: number) => Promise<EventFrame[]>;
  readonly execute: (call: string, body?: object) => Promise<CommandOutcome>;
}

export interface FeedOptions {
  readonly timing?: ConsoleTiming;
  readonly password?: string;
  readonly cursor?: () => Cursor | null;
  /** False if the test itself takes the frames from the feed. */
  readonly isTaken?: boolean;
  readonly store?: ConsoleStore;
}

/** Starts consoles and feeds, and stops them together. */
export class Consoles {
  readonly #ends: (() => Promise<void>)[] = [];

  async start(options: ConsoleOptions = {}): Promise<ConsoleSimulator> {
    const simulator = await startConsole(options);
    this.#ends.push(() => simulator.close());
    return simulator;
  }

  feed(
    simulator: Pick<ConsoleSimulator, "port" | "password">,
    options: FeedOptions = {},
  ): StartedFeed {
    const { timing, password = simulator.password, cursor = () => null, isTaken = true } = options;
    const { store = createMemoryConsoleStore() } = options;
    const logged: string[] = [];
    const log: Logger = pino({ level: "trace" }, { write: (line: string) => logged.push(line) });
    const sessions: (ConsoleSession | null)[] = [];
    const frames: StreamFrame[] = [];
    const settings = { host: "127.0.0.1", port: simulator.port, password, isSecure: false };
    const feed = new ConsoleFeed(
      settings,
      {
        log,
        cursor: () => Promise.resolve(cursor()),
        onStatus: () => undefined,
        onSession: (session) => sessions.push(session),
        store,
      },
      { ...fast, ...timing },
    );
    const taking = isTaken ? takeAll(feed, frames) : Promise.resolve();
    this.#ends.unshift(async () => {
      await feed.stop();
      await taking;
    });
    const events = (kind: string): EventFrame[] =>
      frames.filter((frame) => frame.type === "event").filter((frame) => frame.kind === kind);
    return {
      feed,
      frames,
      sessions,
      logged,
      events,
      untilEvents: async (kind, count = 1) => {
        await waitUntil(`${count} events of ${kind}`, () => events(kind).length >= count);
        return events(kind);
      },
      execute: (call, body) => feed.execute({ call, params: {}, query: {}, body: body ?? null }),
    };
  }

  async stopAll(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }
}

async function takeAll(feed: ConsoleFeed, frames: StreamFrame[]): Promise<void> {
  for (;;) {
    const batch = await feed.nextBatch(1_000).catch(() => null);
    if (!batch) return;
    frames.push(...batch);
    feed.committed();
  }
}

export const anna = { steamId: "76561198000000001", name: "Anna" };
export const bert = { steamId: "76561198000000002", name: "Bert" };
