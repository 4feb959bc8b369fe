import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, requiredColumn } from "../columns.ts";

/**
 * The newest time step whose code a user has used, per purpose. Codes of this step and of older steps are
 * refused.
 */
export class TotpUse extends Model<InferAttributes<TotpUse>, InferCreationAttributes<TotpUse>> {
  declare userId: number;
  declare purpose: string;
  declare step: number;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof TotpUse =>
  class extends TotpUse {}.init(
    {
      userId: primaryKeyColumn(DataTypes.INTEGER),
      purpose: primaryKeyColumn(DataTypes.TEXT),
      step: requiredColumn(DataTypes.BIGINT),
    },
    { sequelize, modelName: "TotpUse", tableName: "totp_used" },
  );
