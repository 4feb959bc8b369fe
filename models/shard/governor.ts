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

/** A city of the shard with its governor. */
export class Governor extends Model<InferAttributes<Governor>, InferCreationAttributes<Governor>> {
  declare city: string;
  declare state: Record<string, unknown>;
  /** Epoch milliseconds. */
  declare t: number;
  declare readonly accountKey: CreationOptional<string | null>;
  declare updatedAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "ShardLink", as: "link", foreignKey: "accountKey", key: "accountKey" },
];

export const defineModel = (sequelize: Sequelize): typeof Governor =>
  class extends Governor {}.init(
    {
      city: primaryKeyColumn(DataTypes.TEXT),
      state: requiredColumn(DataTypes.JSONB),
      t: requiredColumn(DataTypes.BIGINT),
      accountKey: generatedColumn(DataTypes.TEXT, { allowNull: true }),
      updatedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "Governor", tableName: "governors" },
  );
