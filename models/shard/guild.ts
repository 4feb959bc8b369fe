import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, generatedColumn, primaryKeyColumn, requiredColumn } from "../columns.ts";

export class Guild extends Model<InferAttributes<Guild>, InferCreationAttributes<Guild>> {
  declare guildId: number;
  declare state: Record<string, unknown>;
  /** Epoch milliseconds. */
  declare t: number;
  declare readonly leaderAccountKey: CreationOptional<string | null>;
  declare updatedAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "ShardLink", as: "link", foreignKey: "leaderAccountKey", key: "accountKey" },
];

export const defineModel = (sequelize: Sequelize): typeof Guild =>
  class extends Guild {}.init(
    {
      guildId: primaryKeyColumn(DataTypes.INTEGER),
      state: requiredColumn(DataTypes.JSONB),
      t: requiredColumn(DataTypes.BIGINT),
      leaderAccountKey: generatedColumn(DataTypes.TEXT, { allowNull: true }),
      updatedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "Guild", tableName: "guilds" },
  );
