import { Client } from "pg";

import { now } from "../parts/clock.ts";

export type SideName = "ours" | "floor";

/** The timeout of a wait for stored events, many times longer than such a wait takes on the slowest machine. */
const patienceMs = 120_000;

const tables = { ours: "shard_events", floor: "floor_events" } as const;

/** Follows stored events as the API does: reads new events by id after each notification. */
export class StoredEventFollower {
  readonly #client: Client;
  #heard: (side: SideName, lastId: number) => void = () => undefined;

  private constructor(client: Client) {
    this.#client = client;
    client.on("notification", ({ channel, payload }) => {
      const { lastId } = JSON.parse(payload ?? "{}") as { lastId: number };
      this.#heard(channel === tables.ours ? "ours" : "floor", lastId);
    });
  }

  static async start(databaseUrl: string): Promise<StoredEventFollower> {
    const client = new Client(databaseUrl);
    await client.connect();
    await client.query("listen shard_events; listen floor_events");
    return new StoredEventFollower(client);
  }

  stop(): Promise<void> {
    return this.#client.end();
  }

  async lastId(side: SideName): Promise<number> {
    const { rows } = await this.#client.query<{ id: string | null }>(
      `select max(id) as id from ${tables[side]}`,
    );
    return Number(rows[0]?.id ?? 0);
  }

  /**
   * Waits for the notification about this id.
   * @returns the notification's time, by the clock that all processes share
   * @throws after a timeout
   */
  untilStored(side: SideName, id: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error(`${side} does not store what it was sent`));
      const timer = setTimeout(giveUp, patienceMs);
      this.#heard = (told, lastId) => {
        if (told !== side || lastId < id) return;
        clearTimeout(timer);
        resolve(now());
      };
    });
  }

  /**
   * Reads the events after `from` up to `to` as they are stored.
   * @returns the microseconds from each event's `t` until it was read
   */
  async readAll(side: SideName, from: number, to: number): Promise<number[]> {
    const took: number[] = [];
    let cursor = from;
    let wake = Promise.withResolvers<void>();
    this.#heard = () => wake.resolve();
    while (cursor < to) {
      await wake.promise;
      wake = Promise.withResolvers();
      const { rows } = await this.#client.query<{ id: string; t: string }>({
        name: side,
        text: `select id, t from ${tables[side]} where id > $1 order by id`,
        values: [cursor],
      });
      const readAt = now();
      took.push(...rows.map(({ t }) => readAt - Number(t)));
      cursor = Number(rows.at(-1)?.id ?? cursor);
    }
    return took;
  }
}
