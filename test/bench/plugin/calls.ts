import { setTimeout as sleep } from "node:timers/promises";

import type { SiteCalls } from "../../simulator/plugin/site-calls.ts";

/** A game process, as its plugin names it to the site. */
interface GameProcess {
  readonly bootId: string;
  readonly epoch: string;
}

/** Starts the session of a game process that has no events yet. */
export async function sayHello(
  to: SiteCalls,
  who: GameProcess & { readonly game: "uo" | "rust" },
  signal: AbortSignal,
): Promise<void> {
  const hello = {
    protocol: 1,
    ...who,
    plugin: { name: "Guildhall for benchmarks", version: "1.0.0" },
    server: { name: "Bench", version: "1", expansion: null },
    oldest: 1,
    head: 0,
    capabilities: [],
  };
  const { status, body } = await to.post("/hello", hello, signal);
  if (status !== 200) throw new Error(`hello was answered ${status} ${JSON.stringify(body)}`);
}

/** Sends one call with events, and repeats the call while the site asks the plugin to wait. */
export async function sendEvents(
  to: SiteCalls,
  call: GameProcess & { readonly events: readonly object[] },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const { status, retryMs } = await to.post("/events", call, signal);
    if (status === 200) return;
    if (status !== 503 && status !== 429) throw new Error(`events were answered ${status}`);
    await sleep(retryMs);
  }
}
