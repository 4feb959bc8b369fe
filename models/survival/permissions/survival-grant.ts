import {
  type Attributes,
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

import type { ModelAssociation } from "../../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../../columns.ts";
import { clockNow } from "../../queries/clock.ts";

export type GrantKind = "permission" | "membership";

/** A permission or group membership of a player, on some servers or all. */
export class SurvivalGrant extends Model<
  InferAttributes<SurvivalGrant>,
  InferCreationAttributes<SurvivalGrant>
> {
  declare id: CreationOptional<number>;
  declare kind: GrantKind;
  declare steamId: string;
  /** The user whose Steam link the grant was made for. The grant ends with that link. */
  declare userId: number | null;
  /** The name of a permission or of a group. */
  declare value: string;
  declare scopeAll: CreationOptional<boolean>;
  declare serverIds: number[];
  declare source: CreationOptional<"manual" | "event" | "store" | "system">;
  declare reason: string | null;
  declare expiresAt: Date | null;
  declare createdAt: CreationOptional<Date>;
  declare createdBy: number | null;
  declare revokedAt: Date | null;
  declare revokedBy: number | null;
  /** When a job marked the grant as expired. */
  declare expiredAt: Date | null;

  /** Locks grants in id order, as all writers of several grants do. */
  static lockAll(
    where: WhereOptions<Attributes<SurvivalGrant>>,
    transaction: Transaction,
  ): Promise<SurvivalGrant[]> {
    return this.findAll({ where, order: ["id"], transaction, lock: transaction.LOCK.UPDATE });
  }

  /** Marks expired grants as ended, and returns them. */
  static async expireAll(transaction: Transaction): Promise<SurvivalGrant[]> {
    const over = await this.lockAll(isExpired(), transaction);
    const where = { id: over.map(({ id }) => id) };
    const noted = { expiredAt: clockNow() };
    const [, ended] = await this.update(noted, { where, returning: true, transaction });
    return ended;
  }
}

const isExpired = () => ({
  revokedAt: null,
  expiredAt: null,
  expiresAt: { [Op.lte]: clockNow() },
});

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "SET NULL" },
  { owner: "User", as: "maker", foreignKey: "createdBy", onDelete: "SET NULL" },
  { owner: "User", as: "revoker", foreignKey: "revokedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalGrant =>
  class extends SurvivalGrant {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      kind: requiredColumn(DataTypes.TEXT),
      steamId: requiredColumn(DataTypes.TEXT),
      userId: optionalColumn(DataTypes.INTEGER),
      value: requiredColumn(DataTypes.TEXT),
      scopeAll: withDefault(DataTypes.BOOLEAN, true),
      serverIds: requiredColumn(DataTypes.ARRAY(DataTypes.INTEGER)),
      source: withDefault(DataTypes.TEXT, "manual"),
      reason: optionalColumn(DataTypes.TEXT),
      expiresAt: optionalColumn(DataTypes.DATE),
      createdAt: transactionTimeColumn(),
      createdBy: optionalColumn(DataTypes.INTEGER),
      revokedAt: optionalColumn(DataTypes.DATE),
      revokedBy: optionalColumn(DataTypes.INTEGER),
      expiredAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "SurvivalGrant",
      tableName: "survival_grants",
      scopes: {
        over: () => ({ where: isExpired() }),
        inForce: () => ({
          where: {
            revokedAt: null,
            expiredAt: null,
            [Op.or]: [{ expiresAt: null }, { expiresAt: { [Op.gt]: clockNow() } }],
          },
        }),
      },
    },
  );
