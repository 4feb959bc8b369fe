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

export class House extends Model<InferAttributes<House>, InferCreationAttributes<House>> {
  declare serial: string;
  /** The last payload of the house; the columns below are generated from it. */
  declare state: Record<string, unknown>;
  /** Epoch milliseconds. */
  declare t: number;
  declare readonly stage: CreationOptional<string>;
  declare readonly ownerAccountKey: CreationOptional<string | null>;
  declare updatedAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "ShardLink", as: "link", foreignKey: "ownerAccountKey", key: "accountKey" },
];

export const defineModel = (sequelize: Sequelize): typeof House =>
  class extends House {}.init(
    {
      serial: primaryKeyColumn(DataTypes.TEXT),
      state: requiredColumn(DataTypes.JSONB),
      t: requiredColumn(DataTypes.BIGINT),
      stage: generatedColumn(DataTypes.TEXT),
      ownerAccountKey: generatedColumn(DataTypes.TEXT, { allowNull: true }),
      updatedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "House", tableName: "houses" },
  );
