import { answerCalls } from "../parts/answering.ts";

/** A load of sign-ins that fail, with a constant number of concurrent requests. */

export interface SignInLoad {
  readonly url: string;
  readonly lanes: number;
}

/** The number of answers by status. */
export type Statuses = Readonly<Record<string, number>>;

const storm = { isOver: true };
let lanes: Promise<void>[] = [];
const statuses: Record<string, number> = {};
let tried = 0;

answerCalls({ begin, end, seen: () => statuses });

function begin({ url, lanes: count }: SignInLoad): void {
  storm.isOver = false;
  lanes = Array.from({ length: count }, () => keepTrying(url));
}

/**
 * Stops the storm and waits for its last answers, so that it does not affect the next measurement.
 */
async function end(): Promise<void> {
  storm.isOver = true;
  await Promise.all(lanes);
}

async function keepTrying(url: string): Promise<void> {
  while (!storm.isOver) {
    // A new name each time, because attempts on one name are limited.
    const body = JSON.stringify({ username: `nobody-${++tried}`, password: "wrong horse battery" });
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body });
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }
}
