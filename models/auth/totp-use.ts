import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { key, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof TotpUse =>
  class extends TotpUse {}.init(
    {
      userId: key(DataTypes.INTEGER),
      purpose: key(DataTypes.TEXT),
      step: required(DataTypes.BIGINT),
    },
    { sequelize, modelName: "TotpUse", tableName: "totp_used" },
  );
