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

import type { ModelAssociation } from "../association.ts";
import type { User } from "../auth/user.ts";
import {
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** A ban of a game account, by the site or in the game. */
export class Punishment extends Model<
  InferAttributes<Punishment>,
  InferCreationAttributes<Punishment>
> {
  declare id: CreationOptional<number>;
  declare kind: CreationOptional<"ban">;
  /** The account's name in lower case; null as long as only a character of the account is known. */
  declare accountKey: string | null;
  declare account: string | null;
  declare reason: string;
  /** Text that the game shows after the reason. */
  declare suffix: CreationOptional<string>;
  declare issuedAt: CreationOptional<Date>;
  /** Null for a permanent ban, or for an unknown duration. */
  declare expiresAt: Date | null;
  /** User who issued the ban on the site. */
  declare issuedBy: number | null;
  /** Name of the person who issued the ban in the game. */
  declare issuerName: string | null;
  /** Idempotency key of the command. A repeated command finds its ban by this key. */
  declare orderKey: string | null;
  /** Null until the shard confirms the ban. */
  declare confirmedAt: Date | null;
  /** When the shard's stream reported the ban; null before. */
  declare toldAt: CreationOptional<Date | null>;
  declare endedAt: Date | null;
  declare issuer?: NonAttribute<User | null>;
}

const confirmed = { confirmedAt: { [Op.ne]: null }, endedAt: null };

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "issuer", foreignKey: "issuedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof Punishment =>
  class extends Punishment {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      kind: withDefault(DataTypes.TEXT, "ban"),
      accountKey: optionalColumn(DataTypes.TEXT),
      account: optionalColumn(DataTypes.TEXT),
      reason: requiredColumn(DataTypes.TEXT),
      suffix: withDefault(DataTypes.TEXT, ""),
      issuedAt: clockTimeColumn(),
      expiresAt: optionalColumn(DataTypes.DATE),
      issuedBy: optionalColumn(DataTypes.INTEGER),
      issuerName: optionalColumn(DataTypes.TEXT),
      orderKey: uniqueColumn(optionalColumn(DataTypes.TEXT)),
      confirmedAt: optionalColumn(DataTypes.DATE),
      toldAt: optionalColumn(DataTypes.DATE),
      endedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "Punishment",
      tableName: "punishments",
      scopes: {
        /** Issued but not confirmed by the shard. */
        unconfirmed: { where: { confirmedAt: null } },
        /** Confirmed punishments that were not ended. They may have expired. */
        standing: { where: confirmed },
        unended: { where: { endedAt: null } },
        /** Punishments that block an account now. */
        inForce: () => ({
          where: {
            ...confirmed,
            expiresAt: { [Op.or]: [null, { [Op.gt]: clockNow() }] },
          },
        }),
      },
    },
  );
