import { readPartitionState } from "../../../shared/shard/event-partitions/partitions.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

/**
 * Checks that the event log has empty partitions for future events, and that the dedupe keys of full partitions
 * are copied.
 */
export const eventLogCheck: DoctorCheck = {
  name: "event log",
  async run({ sequelize }) {
    const { ahead, unnoted } = await readPartitionState(sequelize);
    const detail = `${ahead} empty partitions are ready, ${unnoted} full ones are not closed`;
    if (ahead >= 2 && unnoted <= 1) return okResult(detail);
    return faultResult(
      detail,
      "see the job shard.prune-events on /api/queues, which runs every hour",
    );
  },
};
