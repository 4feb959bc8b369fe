import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, key, required } from "../columns.ts";

/** A game account that is linked to a user. */
export class GameAccountLink extends Model<
  InferAttributes<GameAccountLink>,
  InferCreationAttributes<GameAccountLink>
> {
  /** The account's name in lower case. */
  declare accountKey: string;
  declare account: string;
  declare userId: number;
  declare linkedAt: Date;
  declare updatedAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof GameAccountLink =>
  class extends GameAccountLink {}.init(
    {
      accountKey: key(DataTypes.TEXT),
      account: required(DataTypes.TEXT),
      userId: required(DataTypes.INTEGER),
      linkedAt: required(DataTypes.DATE),
      updatedAt: clockTime(),
    },
    { sequelize, modelName: "ShardLink", tableName: "shard_links" },
  );
