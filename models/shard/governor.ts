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

export const define = (sequelize: Sequelize): typeof Governor =>
  class extends Governor {}.init(
    {
      city: key(DataTypes.TEXT),
      state: required(DataTypes.JSONB),
      t: required(DataTypes.BIGINT),
      accountKey: generated(DataTypes.TEXT, { allowNull: true }),
      updatedAt: clockTime(),
    },
    { sequelize, modelName: "Governor", tableName: "governors" },
  );
