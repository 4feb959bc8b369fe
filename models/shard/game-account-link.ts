import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, primaryKeyColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof GameAccountLink =>
  class extends GameAccountLink {}.init(
    {
      accountKey: primaryKeyColumn(DataTypes.TEXT),
      account: requiredColumn(DataTypes.TEXT),
      userId: requiredColumn(DataTypes.INTEGER),
      linkedAt: requiredColumn(DataTypes.DATE),
      updatedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "ShardLink", tableName: "shard_links" },
  );
