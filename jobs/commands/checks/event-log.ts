import { readPartitionState } from "../../../shared/shard/event-partitions/partitions.ts";
import { type Check, fault, ok } from "./check.ts";

/** Checks that the event log has empty partitions for future events, and that full ones are in the dedupe tables. */
export const eventLogCheck: Check = {
  name: "event log",
  async run({ sequelize }) {
    const { ahead, unnoted } = await readPartitionState(sequelize);
    const detail = `${ahead} parts made ahead, ${unnoted} full and not closed`;
    if (ahead >= 2 && unnoted <= 1) return ok(detail);
    return fault(detail, "shard.prune-events does it each hour: /api/queues shows how it went");
  },
};
