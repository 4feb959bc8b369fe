import { Op, type Sequelize } from "sequelize";

import { defineModels } from "../../../models/index.ts";
import { readAdminNames } from "../../../shared/auth/administration/admin-set.ts";
import { rotateSecrets } from "../../../shared/ops/rotate-secrets.ts";
import type { Config } from "../../../shared/platform/config/config.ts";

/** What a restored site stands and falls with. */
export interface RestoredSite {
  readonly admins: readonly string[];
  /** What the keys at hand cannot open: `shardlink.token_sealed` and the like. */
  readonly sealedFor: readonly string[];
  /** Users whose password was hashed with a pepper that is not at hand. */
  readonly lockedOut: number;
}

/** Tries the keys at hand on a restored database, whose secrets it encrypts under the first. */
export async function inspectSite(config: Config, sequelize: Sequelize): Promise<RestoredSite> {
  const models = defineModels(sequelize);
  const rotations = await rotateSecrets(config, models);
  const pepperId = { [Op.ne]: null, [Op.notIn]: [...config.PASSWORD_PEPPERS.keys()] };
  return {
    admins: await readAdminNames({ models }),
    sealedFor: rotations
      .filter(({ unreadable }) => unreadable.length > 0)
      .map(({ column }) => column),
    lockedOut: await models.User.count({ where: { pepperId } }),
  };
}
