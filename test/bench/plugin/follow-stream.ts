import http from "node:http";

import { now } from "../parts/clock.ts";

/** An event that a browser has received. Times are in microseconds of the shared clock. */
export interface ReceivedEvent {
  /** The time at which the event happened. */
  readonly t: number;
  readonly at: number;
}

/**
 * Follows an event stream. Resolves when the stream is open; its `received` resolves with the first
 * `count` events.
 */
export function followStream(
  url: string,
  count: number,
): Promise<{ readonly received: Promise<readonly ReceivedEvent[]> }> {
  return new Promise((opened, failed) => {
    const request = http.get(url, { agent: false });
    request.once("error", failed);
    request.once("response", (response) => {
      const received = new Promise<readonly ReceivedEvent[]>((resolve, reject) => {
        const all: ReceivedEvent[] = [];
        let unread = "";
        response.setEncoding("utf8");
        response.once("end", () => reject(new Error("the stream ended")));
        response.on("data", (text: string) => {
          const at = now();
          const blocks = (unread + text).split("\n\n");
          unread = blocks.pop() ?? "";
          for (const block of blocks) {
            const isEvent = !/^event:/m.test(block);
            const [, data] = /^data: (.*)$/m.exec(block) ?? [];
            if (!isEvent || data === undefined) continue;
            all.push({ t: (JSON.parse(data) as { t: number }).t, at });
          }
          if (all.length < count) return;
          request.destroy();
          resolve(all);
        });
      });
      opened({ received });
    });
  });
}
