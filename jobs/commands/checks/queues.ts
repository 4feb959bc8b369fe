import { readPausedQueues } from "../../../shared/platform/job-records/paused-queues.ts";
import { createLogger } from "../../../shared/platform/log.ts";
import { createPgBoss } from "../../../shared/platform/queue/queue.ts";
import { queues } from "../../../shared/platform/queue/queues.ts";
import { type DoctorCheck, faultResult, errorReasonOf, okResult } from "./check.ts";

const fix = "npm run migrate";

export const queuesCheck: DoctorCheck = {
  name: "queues",
  async run({ config, models }) {
    const boss = createPgBoss(config, createLogger("doctor", "silent"));
    try {
      await boss.start();
      const there = new Set((await boss.getQueues()).map(({ name }) => name));
      const lacking = Object.keys(queues).filter((name) => !there.has(name));
      if (lacking.length > 0) return faultResult(`missing queues: ${lacking.join(", ")}`, fix);
      const paused = await readPausedQueues({ models });
      const names = paused.size > 0 ? `, paused: ${[...paused].join(", ")}` : "";
      return okResult(`${there.size} queues${names}`);
    } catch (error) {
      return faultResult(errorReasonOf(error), fix);
    } finally {
      await boss.stop({ graceful: false });
    }
  },
};
