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
        `rows beyond the bound were left out in the last day: ${each.join(", ")}`,
        "look at what the server sends; disable it, or raise the bound in SURVIVAL_BOUNDS",
      );
    }
    const outdated = await readOutdatedLinkers(sequelize);
    if (outdated.length > 0) {
      return fault(
        `codes for Steam links come without a hash and link nothing: ${outdated.join(", ")}`,
        "update the plugin of the server",
      );
    }
    return ok("nothing was left out in the last day, and no link code lacks its hash");
  },
};
