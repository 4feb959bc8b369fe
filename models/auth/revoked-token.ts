import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, requiredColumn } from "../columns.ts";
import { insertRowOnce } from "../queries/insert-once.ts";

/** A signed-out session by token id, kept until the token expires. */
export class RevokedToken extends Model<
  InferAttributes<RevokedToken>,
  InferCreationAttributes<RevokedToken>
> {
  declare tokenId: string;
  declare userId: number;
  declare expiresAt: Date;

  /** @returns false if the token is already revoked */
  static async revokeOnce(
    token: InferCreationAttributes<RevokedToken>,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await insertRowOnce(this, token, transaction)) !== null;
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof RevokedToken =>
  class extends RevokedToken {}.init(
    {
      tokenId: primaryKeyColumn(DataTypes.UUID),
      userId: requiredColumn(DataTypes.INTEGER),
      expiresAt: requiredColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "RevokedToken", tableName: "revoked_tokens" },
  );
