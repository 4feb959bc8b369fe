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
  type WhereOptions,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
} from "../columns.ts";
import { matchClientId } from "../queries/any-id.ts";
import { clockNow, transactionStart } from "../queries/clock.ts";
import type { User } from "./user.ts";

/** A sign-in of a mobile device. The refresh tokens of one sign-in form a family. */
export class DeviceSession extends Model<
  InferAttributes<DeviceSession>,
  InferCreationAttributes<DeviceSession>
> {
  declare id: CreationOptional<number>;
  declare userId: number;
  /** Whole epoch seconds. */
  declare signedInAt: number;
  declare createdAt: CreationOptional<Date>;
  declare expiresAt: Date;
  declare revokedAt: Date | null;
  declare revokeReason: string | null;
  declare user?: NonAttribute<User>;

  /** Revokes one device session of a user. @returns false if it has already ended or is unknown */
  static async revokeOnce(
    { userId, familyId, reason }: DeviceSessionRevocation,
    transaction: Transaction,
  ): Promise<boolean> {
    const which = { id: matchClientId(familyId), userId };
    return (await this.revokeLive(which, reason, transaction)) > 0;
  }

  /**
   * Revokes the device sessions of a user.
   * @param spared id of a session that stays; null to revoke all
   * @returns the number of revoked sessions
   */
  static revokeAllOf(
    userId: number,
    { reason, spared }: { readonly reason: string; readonly spared: number | null },
    transaction: Transaction,
  ): Promise<number> {
    const which = { userId, ...(spared !== null && { id: { [Op.ne]: spared } }) };
    return this.revokeLive(which, reason, transaction);
  }

  private static async revokeLive(
    which: WhereOptions<InferAttributes<DeviceSession>>,
    reason: string,
    transaction: Transaction,
  ): Promise<number> {
    const [count] = await this.scope("live").update(
      { revokedAt: transactionStart(), revokeReason: reason },
      { where: which, transaction },
    );
    return count;
  }
}

export interface DeviceSessionRevocation {
  readonly userId: number;
  readonly familyId: number;
  /** Reason of the revocation, such as `logout`. */
  readonly reason: string;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof DeviceSession =>
  class extends DeviceSession {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      userId: requiredColumn(DataTypes.INTEGER),
      signedInAt: requiredColumn(DataTypes.BIGINT),
      createdAt: transactionTimeColumn(),
      expiresAt: requiredColumn(DataTypes.DATE),
      revokedAt: optionalColumn(DataTypes.DATE),
      revokeReason: optionalColumn(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "MobileFamily",
      tableName: "mobile_families",
      scopes: {
        live: () => ({ where: { revokedAt: null, expiresAt: { [Op.gt]: clockNow() } } }),
      },
    },
  );
