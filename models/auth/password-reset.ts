import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  Op,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
} from "../columns.ts";
import { clockNow, transactionStart } from "../queries/clock.ts";
import type { User } from "./user.ts";

/** A mailed link to set a new password, valid once. */
export class PasswordReset extends Model<
  InferAttributes<PasswordReset>,
  InferCreationAttributes<PasswordReset>
> {
  /** SHA-256 of the token in the link. */
  declare tokenHash: Buffer;
  declare userId: number;
  declare createdAt: CreationOptional<Date>;
  declare expiresAt: Date;
  declare usedAt: Date | null;
  declare user?: NonAttribute<User>;

  /** Uses the link by one conditional update, so that only one of several concurrent calls succeeds. */
  static async useOnce(tokenHash: Buffer, transaction: Transaction): Promise<boolean> {
    const [count] = await this.scope("open").update(
      { usedAt: transactionStart() },
      { where: { tokenHash }, transaction },
    );
    return count === 1;
  }

  /** Invalidates all links of a user. */
  static async endAllOf(userId: number, transaction: Transaction): Promise<void> {
    const where = { userId, usedAt: null };
    await this.update({ usedAt: transactionStart() }, { where, transaction });
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof PasswordReset =>
  class extends PasswordReset {}.init(
    {
      tokenHash: primaryKeyColumn(DataTypes.BLOB),
      userId: requiredColumn(DataTypes.INTEGER),
      createdAt: transactionTimeColumn(),
      expiresAt: requiredColumn(DataTypes.DATE),
      usedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "PasswordReset",
      tableName: "password_resets",
      scopes: {
        open: () => ({ where: { usedAt: null, expiresAt: { [Op.gt]: clockNow() } } }),
      },
    },
  );
