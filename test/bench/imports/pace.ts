import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** The milliseconds between two requests. This is the rate of a busy site, and leaves the machine mostly idle. */
const everyMs = 10;

/**
 * Sends requests at a fixed rate until the signal. A slow answer does not delay the next request.
 * @returns the delays of all answers in milliseconds
 */
export async function sendRequestsAtFixedRate(signal: AbortSignal, url: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const asked: Promise<number>[] = [];
  while (!signal.aborted) {
    asked.push(ask(url, agent));
    await sleep(everyMs);
  }
  const took = await Promise.all(asked);
  agent.destroy();
  return took;
}

function ask(url: string, agent: Agent): Promise<number> {
  const askedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response
        .on("end", () => resolve(performance.now() - askedAt))
        .on("error", reject)
        .resume();
    });
    request.on("error", reject);
  });
}
