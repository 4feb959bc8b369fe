import type { Sequelize } from "sequelize";

import { defineIdentity } from "./auth/identity.ts";
import { defineRecoveryCode } from "./auth/recovery-code.ts";
import { defineTrustedDevice } from "./auth/trusted-device.ts";
import { defineUser } from "./auth/user.ts";
import { defineHouse } from "./shard/house.ts";
import { defineListing } from "./shard/listing.ts";
import { definePointsBoard } from "./shard/points-board.ts";
import { defineShardLink } from "./shard/shard-link.ts";
import { defineVendor } from "./shard/vendor.ts";

/** Defines every model on one connection; a process has one set, handed down in its context. */
export const defineModels = (sequelize: Sequelize) => ({
  User: defineUser(sequelize),
  Identity: defineIdentity(sequelize),
  RecoveryCode: defineRecoveryCode(sequelize),
  TrustedDevice: defineTrustedDevice(sequelize),
  House: defineHouse(sequelize),
  Listing: defineListing(sequelize),
  PointsBoard: definePointsBoard(sequelize),
  ShardLink: defineShardLink(sequelize),
  Vendor: defineVendor(sequelize),
});

export type Models = ReturnType<typeof defineModels>;
