import { readPartitionState } from "../../../shared/shard/event-partitions/partitions.ts";
import { type Check, fault, ok } from "./check.ts";

/** Checks that the event log has empty partitions for future events, and that full ones are in the dedupe tables. */
export const eventLogCheck: Check = {
  name: "event log",
  async run({ sequelize }) {
    const { ahead, unnoted } = await readPartitionState(sequelize);
    const detail = `${ahead} empty partitions are ready, ${unnoted} full ones are not closed`;
    if (ahead >= 2 && unnoted <= 1) return ok(detail);
    return fault(detail, "see the job shard.prune-events on /api/queues, which runs every hour");
  },
};
