import type { Sequelize } from "sequelize";

import { defineUser } from "./auth/user.ts";
import { defineHouse } from "./shard/house.ts";
import { definePointsBoard } from "./shard/points-board.ts";
import { defineShardLink } from "./shard/shard-link.ts";

/** Defines every model on one connection; a process has one set, handed down in its context. */
export const defineModels = (sequelize: Sequelize) => ({
  User: defineUser(sequelize),
  House: defineHouse(sequelize),
  PointsBoard: definePointsBoard(sequelize),
  ShardLink: defineShardLink(sequelize),
});

export type Models = ReturnType<typeof defineModels>;
