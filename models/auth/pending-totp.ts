import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import { clockNow } from "../clock.ts";
import { key, required } from "../columns.ts";

/** A second factor that is set up and not yet enabled. */
export class PendingTotp extends Model<
  InferAttributes<PendingTotp>,
  InferCreationAttributes<PendingTotp>
> {
  declare userId: number;
  declare secretSealed: string;
  declare expiresAt: Date;
}

export const definePendingTotp = (sequelize: Sequelize): typeof PendingTotp =>
  class extends PendingTotp {}.init(
    {
      userId: key(DataTypes.INTEGER),
      secretSealed: required(DataTypes.TEXT),
      expiresAt: required(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "PendingTotp",
      tableName: "totp_pending",
      scopes: { live: () => ({ where: { expiresAt: { [Op.gt]: clockNow() } } }) },
    },
  );
