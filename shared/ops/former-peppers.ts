import { Op } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { Config } from "../platform/config/config.ts";

/**
 * How many passwords were hashed with another pepper than new ones are. Nobody can hash them anew but
 * their users, who do by signing in: until then that pepper is needed.
 */
export const countFormerlyPeppered = (
  { PASSWORD_PEPPERS }: Pick<Config, "PASSWORD_PEPPERS">,
  models: Models,
): Promise<number> => {
  const current = [...PASSWORD_PEPPERS.keys()].slice(0, 1);
  return models.User.count({ where: { pepperId: { [Op.ne]: null, [Op.notIn]: current } } });
};
