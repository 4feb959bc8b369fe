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
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
} from "../columns.ts";
import { clockNow } from "../queries/clock.ts";
import type { DeviceSession } from "./device-session.ts";

/** A refresh token of a device session (a family). Each use consumes it and creates the next. */
export class RefreshToken extends Model<
  InferAttributes<RefreshToken>,
  InferCreationAttributes<RefreshToken>
> {
  declare id: CreationOptional<number>;
  declare familyId: number;
  /** SHA-256 of the refresh token. */
  declare tokenHash: Buffer;
  declare deviceName: string | null;
  /** Whole epoch seconds. */
  declare issuedAt: number;
  /** Generation of the user's credentials at the time of issue. A null, written by an older release, is invalid. */
  declare generation: CreationOptional<number | null>;
  declare createdAt: CreationOptional<Date>;
  declare lastUsedAt: CreationOptional<Date>;
  declare expiresAt: Date;
  declare consumedAt: Date | null;
  /** The next refresh token, encrypted with this one; null once the next one is used or the grace period is over. */
  declare successorSealed: CreationOptional<string | null>;
  declare family?: NonAttribute<DeviceSession>;

  /** Consumes a token by one conditional update, so that only one of several concurrent calls succeeds. */
  static async consumeOnce(
    tokenHash: Buffer,
    transaction: Transaction,
  ): Promise<RefreshToken | null> {
    const [, [consumed]] = await this.scope("live").update(
      { consumedAt: clockNow() },
      { where: { tokenHash }, transaction, returning: true },
    );
    if (consumed) await this.deleteSuccessors(consumed.familyId, transaction);
    return consumed ?? null;
  }

  /** Consumes the latest token of a family, even if it has expired. */
  static async retireLatest(
    familyId: number,
    transaction: Transaction,
  ): Promise<RefreshToken | null> {
    const [, [retired]] = await this.update(
      { consumedAt: clockNow() },
      { where: { familyId, consumedAt: null }, transaction, returning: true },
    );
    await this.deleteSuccessors(familyId, transaction);
    return retired ?? null;
  }

  /** Deletes stored successors, so that a consumed token no longer returns its successor. */
  private static async deleteSuccessors(familyId: number, transaction: Transaction): Promise<void> {
    await this.update(
      { successorSealed: null },
      { where: { familyId, successorSealed: { [Op.ne]: null } }, transaction },
    );
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "MobileFamily", as: "family", foreignKey: "familyId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof RefreshToken =>
  class extends RefreshToken {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      familyId: requiredColumn(DataTypes.INTEGER),
      tokenHash: uniqueColumn(requiredColumn(DataTypes.BLOB)),
      deviceName: optionalColumn(DataTypes.TEXT),
      issuedAt: requiredColumn(DataTypes.BIGINT),
      generation: optionalColumn(DataTypes.INTEGER),
      createdAt: transactionTimeColumn(),
      lastUsedAt: transactionTimeColumn(),
      expiresAt: requiredColumn(DataTypes.DATE),
      consumedAt: optionalColumn(DataTypes.DATE),
      successorSealed: optionalColumn(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "MobileSession",
      tableName: "mobile_sessions",
      scopes: {
        live: () => ({ where: { consumedAt: null, expiresAt: { [Op.gt]: clockNow() } } }),
      },
    },
  );
