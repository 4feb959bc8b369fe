import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identity, optional, required } from "../../columns.ts";
import type { Tie } from "../../tie.ts";

/** A code for a Steam link that a server said it made. */
export class SurvivalLinkCode extends Model<
  InferAttributes<SurvivalLinkCode>,
  InferCreationAttributes<SurvivalLinkCode>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare salt: string;
  /** Of the server's salted hash, under a key of the site. */
  declare digest: string;
  declare expiresAt: Date;
  /** A used code links nothing again. */
  declare usedAt: Date | null;
  declare usedBy: number | null;
  /** Whose it turned out to be. */
  declare steamId: string | null;
}

export const ties: readonly Tie[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "user", foreignKey: "usedBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof SurvivalLinkCode =>
  class extends SurvivalLinkCode {}.init(
    {
      id: identity(DataTypes.BIGINT),
      serverId: required(DataTypes.INTEGER),
      salt: required(DataTypes.TEXT),
      digest: required(DataTypes.TEXT),
      expiresAt: required(DataTypes.DATE),
      usedAt: optional(DataTypes.DATE),
      usedBy: optional(DataTypes.INTEGER),
      steamId: optional(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "SurvivalLinkCode",
      tableName: "survival_link_codes",
      indexes: [{ unique: true, fields: ["server_id", "digest"] }],
    },
  );
