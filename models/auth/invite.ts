import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
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
  uniqueColumn,
} from "../columns.ts";
import { matchClientId } from "../queries/any-id.ts";
import { clockNow, transactionStart } from "../queries/clock.ts";
import type { Role } from "./user.ts";

export class Invite extends Model<InferAttributes<Invite>, InferCreationAttributes<Invite>> {
  declare id: CreationOptional<number>;
  /** SHA-256 of the token in the link; null until the mail is sent. */
  declare tokenHash: Buffer | null;
  declare email: string | null;
  declare role: Role;
  declare createdAt: CreationOptional<Date>;
  /** Null after the inviting user was deleted. */
  declare createdBy: number | null;
  declare expiresAt: Date;
  declare acceptedAt: Date | null;
  declare acceptedUserId: number | null;
  declare revokedAt: Date | null;

  /** Accepts an invitation by one conditional update, so that only one of several concurrent calls succeeds. */
  static async acceptOnce(tokenHash: Buffer, transaction: Transaction): Promise<Invite | null> {
    const [, [accepted]] = await this.scope("open").update(
      { acceptedAt: transactionStart() },
      { where: { tokenHash }, transaction, returning: true },
    );
    return accepted ?? null;
  }

  /** Sets a new link token; the former one becomes invalid. */
  static async replaceToken(id: number, tokenHash: Buffer): Promise<Invite | null> {
    const [, [invite]] = await this.scope("open").update(
      { tokenHash },
      { where: { id }, returning: true },
    );
    return invite ?? null;
  }

  /** @returns false if the invitation is unknown, used or revoked; true for an expired invitation */
  static async revokeOnce(id: number, transaction: Transaction): Promise<boolean> {
    const revoked = await this.revokeUnused({ id: matchClientId(id) }, transaction);
    return revoked > 0;
  }

  /** Revokes all unused invitations that a user created. */
  static async revokeAllBy(createdBy: number, transaction: Transaction): Promise<void> {
    await this.revokeUnused({ createdBy }, transaction);
  }

  /** Deletes the mail address of the invitation that a user accepted. */
  static async deleteAddressOf(acceptedUserId: number, transaction: Transaction): Promise<void> {
    await this.update({ email: null }, { where: { acceptedUserId }, transaction });
  }

  private static async revokeUnused(
    which: WhereOptions<InferAttributes<Invite>>,
    transaction: Transaction,
  ): Promise<number> {
    const [count] = await this.scope("unused").update(
      { revokedAt: transactionStart() },
      { where: which, transaction },
    );
    return count;
  }
}

const unused = { acceptedAt: null, revokedAt: null };

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "creator", foreignKey: "createdBy", onDelete: "SET NULL" },
  { owner: "User", as: "accepter", foreignKey: "acceptedUserId", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof Invite =>
  class extends Invite {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      tokenHash: uniqueColumn(optionalColumn(DataTypes.BLOB)),
      email: optionalColumn(DataTypes.TEXT),
      role: requiredColumn(DataTypes.TEXT),
      createdAt: transactionTimeColumn(),
      createdBy: optionalColumn(DataTypes.INTEGER),
      expiresAt: requiredColumn(DataTypes.DATE),
      acceptedAt: optionalColumn(DataTypes.DATE),
      acceptedUserId: optionalColumn(DataTypes.INTEGER),
      revokedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "Invite",
      tableName: "invites",
      scopes: {
        unused: { where: unused },
        /** Invitations that can be accepted. */
        open: () => ({ where: { ...unused, expiresAt: { [Op.gt]: clockNow() } } }),
      },
    },
  );
