import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";
import type { Tie } from "../tie.ts";

/** A game account that is linked to a user. */
export class ShardLink extends Model<
  InferAttributes<ShardLink>,
  InferCreationAttributes<ShardLink>
> {
  /** The account's name in lower case. */
  declare accountKey: string;
  declare account: string;
  declare userId: number;
  declare linkedAt: Date;
  declare updatedAt: CreationOptional<Date>;
}

export const ties: readonly Tie[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof ShardLink =>
  class extends ShardLink {}.init(
    {
      accountKey: key(DataTypes.TEXT),
      account: required(DataTypes.TEXT),
      userId: required(DataTypes.INTEGER),
      linkedAt: required(DataTypes.DATE),
      updatedAt: clockTime(),
    },
    { sequelize, modelName: "ShardLink", tableName: "shard_links" },
  );
