import { Op, type Sequelize } from "sequelize";

import { defineModels } from "../../../models/index.ts";
import { readAdminNames } from "../../../shared/auth/administration/admin-set.ts";
import { rotateSecrets } from "../../../shared/ops/rotate-secrets.ts";
import type { Config } from "../../../shared/platform/config/config.ts";

export interface RestoredSiteReport {
  readonly admins: readonly string[];
  /** Columns that the available keys cannot decrypt, such as `shardlink.token_sealed`. */
  readonly sealedFor: readonly string[];
  /** Users whose password needs a pepper that is not available. */
  readonly lockedOut: number;
}

/** Tries the available keys on a restored database, and encrypts its secrets under the first key. */
export async function inspectSite(
  config: Config,
  sequelize: Sequelize,
): Promise<RestoredSiteReport> {
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
