import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, generated, key, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof Guild =>
  class extends Guild {}.init(
    {
      guildId: key(DataTypes.INTEGER),
      state: required(DataTypes.JSONB),
      t: required(DataTypes.BIGINT),
      leaderAccountKey: generated(DataTypes.TEXT, { allowNull: true }),
      updatedAt: clockTime(),
    },
    { sequelize, modelName: "Guild", tableName: "guilds" },
  );
