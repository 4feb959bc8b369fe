import { createLogger } from "../../log.ts";
import { createBoss } from "../../queue/queue.ts";
import { queues } from "../../queue/queues.ts";
import { type Check, fault, messageOf, ok } from "./check.ts";

const fix = "npm run migrate";

/** Whether the queue's own schema is that of this version, with every queue of the catalogue. */
export const queuesCheck: Check = {
  name: "queues",
  async run({ config }) {
    const boss = createBoss(config, createLogger("doctor", "silent"), { supervise: false });
    try {
      await boss.start();
      const there = new Set((await boss.getQueues()).map(({ name }) => name));
      const lacking = Object.keys(queues).filter((name) => !there.has(name));
      if (lacking.length > 0) return fault(`not made: ${lacking.join(", ")}`, fix);
      return ok(`${there.size} queues`);
    } catch (error) {
      return fault(messageOf(error), fix);
    } finally {
      await boss.stop({ graceful: false });
    }
  },
};
