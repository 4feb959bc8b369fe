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

export const define = (sequelize: Sequelize): typeof House =>
  class extends House {}.init(
    {
      serial: key(DataTypes.TEXT),
      state: required(DataTypes.JSONB),
      t: required(DataTypes.BIGINT),
      stage: generated(DataTypes.TEXT),
      ownerAccountKey: generated(DataTypes.TEXT, { allowNull: true }),
      updatedAt: clockTime(),
    },
    { sequelize, modelName: "House", tableName: "houses" },
  );
