import { answerCalls } from "../parts/answering.ts";
import { bareChain, bareSingle, type FloorChainJob, createFloorPgBoss } from "./bare-boss.ts";
import { createBroadcaster } from "./broadcaster.ts";

/**
 * The baseline of the benchmark of events: pg-boss without the service. Each job calls the shard and sends the
 * next job of its chain.
 */

const boss = createFloorPgBoss(process.env["DATABASE_URL"] ?? "");
const broadcast = createBroadcaster(process.env["SHARD_URL"] ?? "");
await boss.start();
await boss.createQueue(bareChain, { notify: true });
await boss.createQueue(bareSingle, { notify: true, policy: "exclusive" });
await boss.work(bareSingle, () => Promise.resolve());

/** The number of jobs that a worker of the service runs at once. */
const atOnce = 8;
const failed = new Set<string>();

for (let worker = 0; worker < atOnce; worker++) {
  const options = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 4 };
  const workerId: string = await boss.work<FloorChainJob>(bareChain, options, async ([job]) => {
    try {
      if (job) await take(job.data);
    } finally {
      boss.notifyWorker(workerId);
    }
  });
}

async function take({ key, left, fails }: FloorChainJob): Promise<void> {
  if (fails && !failed.has(key)) {
    failed.add(key);
    throw new Error("as it was asked to");
  }
  await broadcast(key);
  if (left > 0) await boss.send(bareChain, { key: `${key}.`, left: left - 1, dueAt: Date.now() });
}

answerCalls({});
