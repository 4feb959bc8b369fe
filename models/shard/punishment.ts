import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  Op,
  type Sequelize,
} from "sequelize";

import type { User } from "../auth/user.ts";
import { clockTime, identity, optional, required, unique, withDefault } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";
import type { Tie } from "../tie.ts";

/** A ban of a game account, by our command or in the game. */
export class Punishment extends Model<
  InferAttributes<Punishment>,
  InferCreationAttributes<Punishment>
> {
  declare id: CreationOptional<number>;
  declare kind: CreationOptional<"ban">;
  /** The account's name in lower case; null while only a banned character is known. */
  declare accountKey: string | null;
  declare account: string | null;
  declare reason: string;
  /** What stands behind the reason in the game. */
  declare suffix: CreationOptional<string>;
  declare issuedAt: CreationOptional<Date>;
  /** Null: for ever, or for a time that the shard did not tell. */
  declare expiresAt: Date | null;
  /** The user whose command it was. */
  declare issuedBy: number | null;
  /** The name in the game of whoever did it there. */
  declare issuerName: string | null;
  /** By which a command that is sent again finds the punishment of the first time. */
  declare orderKey: string | null;
  /** Null until the shard said that it stands. */
  declare confirmedAt: Date | null;
  /** When the shard's stream told of it; null until then. */
  declare toldAt: CreationOptional<Date | null>;
  declare endedAt: Date | null;
  declare issuer?: NonAttribute<User | null>;
}

const standing = { confirmedAt: { [Op.ne]: null }, endedAt: null };

export const ties: readonly Tie[] = [
  { owner: "User", as: "issuer", foreignKey: "issuedBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof Punishment =>
  class extends Punishment {}.init(
    {
      id: identity(DataTypes.INTEGER),
      kind: withDefault(DataTypes.TEXT, "ban"),
      accountKey: optional(DataTypes.TEXT),
      account: optional(DataTypes.TEXT),
      reason: required(DataTypes.TEXT),
      suffix: withDefault(DataTypes.TEXT, ""),
      issuedAt: clockTime(),
      expiresAt: optional(DataTypes.DATE),
      issuedBy: optional(DataTypes.INTEGER),
      issuerName: optional(DataTypes.TEXT),
      orderKey: unique(optional(DataTypes.TEXT)),
      confirmedAt: optional(DataTypes.DATE),
      toldAt: optional(DataTypes.DATE),
      endedAt: optional(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "Punishment",
      tableName: "punishments",
      scopes: {
        /** Ordered, and not yet said by the shard to stand. */
        unconfirmed: { where: { confirmedAt: null } },
        /** Those that stand, unless their time is over. */
        standing: { where: standing },
        unended: { where: { endedAt: null } },
        /** Those that shut an account out now. */
        inForce: () => ({
          where: {
            ...standing,
            expiresAt: { [Op.or]: [null, { [Op.gt]: clockNow() }] },
          },
        }),
      },
    },
  );
