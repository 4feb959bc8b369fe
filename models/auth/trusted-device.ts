import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identityColumn, requiredColumn, transactionTimeColumn, uniqueColumn } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** A browser that may skip the second factor of one user until it expires. */
export class TrustedDevice extends Model<
  InferAttributes<TrustedDevice>,
  InferCreationAttributes<TrustedDevice>
> {
  declare id: CreationOptional<number>;
  declare userId: number;
  /** SHA-256 of the token in the browser's cookie. */
  declare tokenHash: Buffer;
  declare label: string;
  declare createdAt: CreationOptional<Date>;
  declare lastUsedAt: CreationOptional<Date>;
  declare expiresAt: Date;

  /** Stores the use of a device. @returns false if the user no longer trusts it */
  static async use(tokenHash: Buffer, userId: number, transaction: Transaction): Promise<boolean> {
    const [used] = await this.scope("live").update(
      { lastUsedAt: clockNow() },
      { where: { tokenHash, userId }, transaction },
    );
    return used === 1;
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof TrustedDevice =>
  class extends TrustedDevice {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      userId: requiredColumn(DataTypes.INTEGER),
      tokenHash: uniqueColumn(requiredColumn(DataTypes.BLOB)),
      label: requiredColumn(DataTypes.TEXT),
      createdAt: transactionTimeColumn(),
      lastUsedAt: transactionTimeColumn(),
      expiresAt: requiredColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "TrustedDevice",
      tableName: "trusted_devices",
      scopes: { live: () => ({ where: { expiresAt: { [Op.gt]: clockNow() } } }) },
    },
  );
