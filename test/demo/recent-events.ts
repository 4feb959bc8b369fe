import { setTimeout as sleep } from "node:timers/promises";

const kept = 20;
const againMs = 2_000;

/** Keeps the newest events of the public stream. */
export class RecentEvents {
  readonly #address: string;
  readonly #events: unknown[] = [];
  #lastId = "0";

  constructor(api: string) {
    this.#address = `${api}/api/v1/public/shard/stream`;
  }

  /** The kept events, oldest first. */
  get events(): readonly unknown[] {
    return this.#events;
  }

  /** Follows the stream until the process ends. Reconnects after each interruption. */
  async follow(): Promise<never> {
    for (;;) {
      await this.#listen().catch(() => undefined);
      await sleep(againMs);
    }
  }

  async #listen(): Promise<void> {
    const response = await fetch(`${this.#address}?lastEventId=${this.#lastId}`);
    if (!response.ok || !response.body) return;
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split("\n").map((line) => {
        const [name = "", ...rest] = line.split(": ");
        return [name, rest.join(": ")];
      }),
    );
    this.#lastId = fields.get("id") ?? this.#lastId;
    const data = fields.get("data");
    // A block with an event name is about the stream itself, so skip it.
    if (data === undefined || fields.has("event")) return;
    this.#events.push(JSON.parse(data));
    if (this.#events.length > kept) this.#events.shift();
  }
}
