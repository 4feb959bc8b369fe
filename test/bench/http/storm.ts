import { answerCalls } from "../parts/answering.ts";

/** Bad sign-ins, so many of them under way at any moment. */

export interface StormRequest {
  readonly url: string;
  readonly lanes: number;
}

/** How many answers there were of each status. */
export type Statuses = Readonly<Record<string, number>>;

const storm = { isOver: true };
let lanes: Promise<void>[] = [];
const statuses: Record<string, number> = {};
let tried = 0;

answerCalls({ begin, end, seen: () => statuses });

function begin({ url, lanes: count }: StormRequest): void {
  storm.isOver = false;
  lanes = Array.from({ length: count }, () => keepTrying(url));
}

/** Waits for the last answers, so that nothing of the storm reaches what is measured next. */
async function end(): Promise<void> {
  storm.isOver = true;
  await Promise.all(lanes);
}

async function keepTrying(url: string): Promise<void> {
  while (!storm.isOver) {
    // Each time another name: tries at one alone would be refused for their number.
    const body = JSON.stringify({ username: `nobody-${++tried}`, password: "wrong horse battery" });
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body });
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }
}
