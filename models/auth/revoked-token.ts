import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { key, required } from "../columns.ts";
import { insertOnce } from "../insert-once.ts";

/** A session that was signed out, by its token's id, until the token expires by itself. */
export class RevokedToken extends Model<
  InferAttributes<RevokedToken>,
  InferCreationAttributes<RevokedToken>
> {
  declare tokenId: string;
  declare userId: number;
  declare expiresAt: Date;

  /** @returns false when it is revoked already */
  static async revokeOnce(
    token: InferCreationAttributes<RevokedToken>,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await insertOnce(this, token, transaction)) !== null;
  }
}

export const defineRevokedToken = (sequelize: Sequelize): typeof RevokedToken =>
  class extends RevokedToken {}.init(
    {
      tokenId: key(DataTypes.UUID),
      userId: required(DataTypes.INTEGER),
      expiresAt: required(DataTypes.DATE),
    },
    { sequelize, modelName: "RevokedToken", tableName: "revoked_tokens" },
  );
