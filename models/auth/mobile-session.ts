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

import { identity, optional, required, transactionTime, unique } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";
import type { Tie } from "../tie.ts";
import type { MobileFamily } from "./mobile-family.ts";

/** One refresh token of a family; each use consumes it and makes the next. */
export class MobileSession extends Model<
  InferAttributes<MobileSession>,
  InferCreationAttributes<MobileSession>
> {
  declare id: CreationOptional<number>;
  declare familyId: number;
  /** SHA-256 of the refresh token. */
  declare tokenHash: Buffer;
  declare deviceName: string | null;
  /** Whole epoch seconds. */
  declare issuedAt: number;
  /** Of the user's credentials when it was made; null, of an older release, opens nothing. */
  declare generation: CreationOptional<number | null>;
  declare createdAt: CreationOptional<Date>;
  declare lastUsedAt: CreationOptional<Date>;
  declare expiresAt: Date;
  declare consumedAt: Date | null;
  /** The next refresh token, encrypted by this one; null once the grace is over or it was used. */
  declare successorSealed: CreationOptional<string | null>;
  declare family?: NonAttribute<MobileFamily>;

  /** One conditional statement decides: of any number at once, one uses the token. */
  static async consumeOnce(
    tokenHash: Buffer,
    transaction: Transaction,
  ): Promise<MobileSession | null> {
    const [, [consumed]] = await this.scope("live").update(
      { consumedAt: clockNow() },
      { where: { tokenHash }, transaction, returning: true },
    );
    if (consumed) await this.forgetSuccessors(consumed.familyId, transaction);
    return consumed ?? null;
  }

  /** Takes a family's latest token out of use, whether or not it has expired. */
  static async retireLatest(
    familyId: number,
    transaction: Transaction,
  ): Promise<MobileSession | null> {
    const [, [retired]] = await this.update(
      { consumedAt: clockNow() },
      { where: { familyId, consumedAt: null }, transaction, returning: true },
    );
    await this.forgetSuccessors(familyId, transaction);
    return retired ?? null;
  }

  /** Nobody gets a refresh token again that was used. */
  private static async forgetSuccessors(familyId: number, transaction: Transaction): Promise<void> {
    await this.update(
      { successorSealed: null },
      { where: { familyId, successorSealed: { [Op.ne]: null } }, transaction },
    );
  }
}

export const ties: readonly Tie[] = [
  { owner: "MobileFamily", as: "family", foreignKey: "familyId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof MobileSession =>
  class extends MobileSession {}.init(
    {
      id: identity(DataTypes.BIGINT),
      familyId: required(DataTypes.INTEGER),
      tokenHash: unique(required(DataTypes.BLOB)),
      deviceName: optional(DataTypes.TEXT),
      issuedAt: required(DataTypes.BIGINT),
      generation: optional(DataTypes.INTEGER),
      createdAt: transactionTime(),
      lastUsedAt: transactionTime(),
      expiresAt: required(DataTypes.DATE),
      consumedAt: optional(DataTypes.DATE),
      successorSealed: optional(DataTypes.TEXT),
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
