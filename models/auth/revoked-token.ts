import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** A session that was signed out, by its token's id, until the token expires by itself. */
export class RevokedToken extends Model<
  InferAttributes<RevokedToken>,
  InferCreationAttributes<RevokedToken>
> {
  declare tokenId: string;
  declare userId: number;
  declare expiresAt: Date;
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
