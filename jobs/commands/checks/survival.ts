import { readServersWithoutCodeHash } from "../../../shared/survival/links/link-codes.ts";
import { readFullStorageParts } from "../../../shared/survival/storage/omissions.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

/** Checks that no rows of survival servers exceeded a storage bound and that their link codes have hashes. */
export const survivalCheck: DoctorCheck = {
  name: "survival servers",
  async run({ sequelize }) {
    const full = await readFullStorageParts(sequelize);
    if (full.length > 0) {
      const each = full.map(({ slug, part }) => `${part} of ${slug}`);
      return faultResult(
        `rows above a storage bound were not stored in the last day: ${each.join(", ")}`,
        "check what the server sends, and disable the server or raise the bound in SURVIVAL_BOUNDS",
      );
    }
    const outdated = await readServersWithoutCodeHash(sequelize);
    if (outdated.length > 0) {
      return faultResult(
        `plugins send codes for Steam links without a hash, so the codes do not work: ${outdated.join(", ")}`,
        "update the plugins of these servers",
      );
    }
    return okResult("all rows of the last day were stored, and all link codes have a hash");
  },
};
