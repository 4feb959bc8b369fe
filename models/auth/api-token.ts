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
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
} from "../columns.ts";
import { matchClientId } from "../queries/any-id.ts";
import { clockNowPlus, clockNow, transactionStart } from "../queries/clock.ts";
import type { Role } from "./user.ts";

/** A token for calls of the API. Tokens are never deleted: the activity log refers to them. */
export class ApiToken extends Model<InferAttributes<ApiToken>, InferCreationAttributes<ApiToken>> {
  declare id: CreationOptional<number>;
  declare name: string;
  /** SHA-256 of the token. */
  declare tokenHash: Buffer;
  declare role: Exclude<Role, "admin">;
  declare scopes: string[];
  declare createdAt: CreationOptional<Date>;
  declare createdBy: number;
  /** Null for a token without an expiry. */
  declare expiresAt: Date | null;
  /** Time of the last use, precise to the minute. */
  declare lastUsedAt: Date | null;
  declare revokedAt: Date | null;

  /** Stores the time of use at most once a minute, because a write per request is too expensive. */
  static async recordUse(id: number): Promise<void> {
    const longAgo = { [Op.lt]: clockNowPlus(-60_000) };
    await this.update(
      { lastUsedAt: clockNow() },
      { where: { id, lastUsedAt: { [Op.or]: [null, longAgo] } } },
    );
  }

  /** @returns the token; null if it is unknown or already revoked */
  static async revokeOnce(id: number, transaction: Transaction): Promise<ApiToken | null> {
    const [, [revoked]] = await this.scope("unrevoked").update(
      { revokedAt: transactionStart() },
      { where: { id: matchClientId(id) }, transaction, returning: true },
    );
    return revoked ?? null;
  }

  /** Revokes all tokens that a user created, and returns them. */
  static async revokeAllBy(createdBy: number, transaction: Transaction): Promise<ApiToken[]> {
    const [, revoked] = await this.scope("unrevoked").update(
      { revokedAt: transactionStart() },
      { where: { createdBy }, transaction, returning: true },
    );
    return revoked;
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "creator", foreignKey: "createdBy", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof ApiToken =>
  class extends ApiToken {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      name: requiredColumn(DataTypes.TEXT),
      tokenHash: uniqueColumn(requiredColumn(DataTypes.BLOB)),
      role: requiredColumn(DataTypes.TEXT),
      scopes: requiredColumn(DataTypes.ARRAY(DataTypes.TEXT)),
      createdAt: transactionTimeColumn(),
      createdBy: requiredColumn(DataTypes.INTEGER),
      expiresAt: optionalColumn(DataTypes.DATE),
      lastUsedAt: optionalColumn(DataTypes.DATE),
      revokedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "ApiToken",
      tableName: "api_tokens",
      scopes: {
        unrevoked: { where: { revokedAt: null } },
        /** Tokens that count toward the limit. */
        live: () => ({
          where: {
            revokedAt: null,
            expiresAt: { [Op.or]: [null, { [Op.gt]: clockNow() }] },
          },
        }),
      },
    },
  );
