import type { Sequelize } from "sequelize";

import { defineIdentity } from "./auth/identity.ts";
import { defineRecoveryCode } from "./auth/recovery-code.ts";
import { defineTrustedDevice } from "./auth/trusted-device.ts";
import { defineHouse } from "./shard/house.ts";
import { defineShardLink } from "./shard/shard-link.ts";

/** Defines every model on one connection; a process has one set, handed down in its context. */
export const defineModels = (sequelize: Sequelize) => ({
  Identity: defineIdentity(sequelize),
  RecoveryCode: defineRecoveryCode(sequelize),
  TrustedDevice: defineTrustedDevice(sequelize),
  House: defineHouse(sequelize),
  ShardLink: defineShardLink(sequelize),
});

export type Models = ReturnType<typeof defineModels>;
