import { readOutdatedLinkers } from "../../../shared/survival/links/link-codes.ts";
import { readFullParts } from "../../../shared/survival/storage/omissions.ts";
import { type Check, fault, ok } from "./check.ts";

/** Checks if survival servers stay within their bounds and send link codes with hashes. */
export const survivalCheck: Check = {
  name: "survival servers",
  async run({ sequelize }) {
    const full = await readFullParts(sequelize);
    if (full.length > 0) {
      const each = full.map(({ slug, part }) => `${part} of ${slug}`);
      return fault(
        `rows above a storage bound were not stored in the last day: ${each.join(", ")}`,
        "check what the server sends, and disable the server or raise the bound in SURVIVAL_BOUNDS",
      );
    }
    const outdated = await readOutdatedLinkers(sequelize);
    if (outdated.length > 0) {
      return fault(
        `plugins send codes for Steam links without a hash, so the codes do not work: ${outdated.join(", ")}`,
        "update the plugins of these servers",
      );
    }
    return ok("all rows of the last day were stored, and all link codes have a hash");
  },
};
