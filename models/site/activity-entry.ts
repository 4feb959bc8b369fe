import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ApiToken } from "../auth/api-token.ts";
import type { User } from "../auth/user.ts";
import { clockTime, identity, optional, required, withDefault } from "../columns.ts";
import type { Tie } from "../tie.ts";

/** One line of the activity log: who did what to which thing. */
export class ActivityEntry extends Model<
  InferAttributes<ActivityEntry>,
  InferCreationAttributes<ActivityEntry>
> {
  declare id: CreationOptional<number>;
  declare at: CreationOptional<Date>;
  /** Kept when the account is deleted, so no foreign key. */
  declare actorId: number | null;
  /** The token that acted in the place of its maker; kept when it is deleted. */
  declare tokenId: number | null;
  declare action: string;
  declare targetType: string | null;
  declare targetId: string | null;
  declare address: string | null;
  declare detail: CreationOptional<Record<string, unknown>>;
  declare actor?: NonAttribute<User | null>;
  declare token?: NonAttribute<ApiToken | null>;

  /**
   * Adds the outcome to a line whose outcome is unknown. A line has one outcome, and none once the
   * account that it tells of is forgotten.
   */
  static async settleOnce(
    id: number,
    outcome: Readonly<Record<string, unknown>>,
    transaction: Transaction,
  ): Promise<void> {
    const where = { id, detail: { outcome: "unknown" } };
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const line = await this.findOne({ where, transaction, lock });
    await line?.update({ detail: { ...line.detail, ...outcome } }, { transaction });
  }
}

export const ties: readonly Tie[] = [
  {
    owner: "User",
    as: "actor",
    foreignKey: "actorId",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
  {
    owner: "ApiToken",
    as: "token",
    foreignKey: "tokenId",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
];

export const define = (sequelize: Sequelize): typeof ActivityEntry =>
  class extends ActivityEntry {}.init(
    {
      id: identity(DataTypes.BIGINT),
      at: clockTime(),
      actorId: optional(DataTypes.INTEGER),
      tokenId: optional(DataTypes.INTEGER),
      action: required(DataTypes.TEXT),
      targetType: optional(DataTypes.TEXT),
      targetId: optional(DataTypes.TEXT),
      address: optional(DataTypes.TEXT),
      detail: withDefault(DataTypes.JSONB, {}),
    },
    { sequelize, modelName: "ActivityEntry", tableName: "activity_log" },
  );
