import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, requiredColumn } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** A second factor that is set up but not enabled. */
export class PendingTotp extends Model<
  InferAttributes<PendingTotp>,
  InferCreationAttributes<PendingTotp>
> {
  declare userId: number;
  declare secretSealed: string;
  declare expiresAt: Date;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof PendingTotp =>
  class extends PendingTotp {}.init(
    {
      userId: primaryKeyColumn(DataTypes.INTEGER),
      secretSealed: requiredColumn(DataTypes.TEXT),
      expiresAt: requiredColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "PendingTotp",
      tableName: "totp_pending",
      scopes: { live: () => ({ where: { expiresAt: { [Op.gt]: clockNow() } } }) },
    },
  );
