import { firstRow } from "../../../shared/platform/db/rows.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

/**
 * The tolerated difference between the clocks of the database and this machine. Sessions and schedules use both.
 */
const toleratedMs = 2_000;

export const clockCheck: DoctorCheck = {
  name: "clock",
  async run({ sequelize }) {
    const before = Date.now();
    const row = await firstRow<{ ms: number }>(
      sequelize,
      "select extract(epoch from clock_timestamp())::double precision * 1000 as ms",
    );
    const here = (before + Date.now()) / 2;
    const aheadMs = Math.round(here - (row?.ms ?? 0));
    if (Math.abs(aheadMs) <= toleratedMs) {
      return okResult(`${Math.abs(aheadMs)} ms from the clock of the database`);
    }
    const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
    return faultResult(
      `${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the clock of the database`,
      "synchronize the clocks of both machines (NTP)",
    );
  },
};
