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

import type { ModelAssociation } from "../association.ts";
import type { ApiToken } from "../auth/api-token.ts";
import type { User } from "../auth/user.ts";
import {
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  withDefault,
} from "../columns.ts";

/** A line of the activity log: who did what to which object. */
export class ActivityEntry extends Model<
  InferAttributes<ActivityEntry>,
  InferCreationAttributes<ActivityEntry>
> {
  declare id: CreationOptional<number>;
  declare at: CreationOptional<Date>;
  /** Kept after the user was deleted, so there is no foreign key. */
  declare actorId: number | null;
  /** API token that acted for its creator; kept after the token was deleted. */
  declare tokenId: number | null;
  declare action: string;
  declare targetType: string | null;
  declare targetId: string | null;
  declare address: string | null;
  declare detail: CreationOptional<Record<string, unknown>>;
  declare actor?: NonAttribute<User | null>;
  declare token?: NonAttribute<ApiToken | null>;

  /** Sets the outcome of a line once. Does nothing if a user's deletion has anonymized the line meanwhile. */
  static async setOutcomeOnce(
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

export const associations: readonly ModelAssociation[] = [
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

export const defineModel = (sequelize: Sequelize): typeof ActivityEntry =>
  class extends ActivityEntry {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      at: clockTimeColumn(),
      actorId: optionalColumn(DataTypes.INTEGER),
      tokenId: optionalColumn(DataTypes.INTEGER),
      action: requiredColumn(DataTypes.TEXT),
      targetType: optionalColumn(DataTypes.TEXT),
      targetId: optionalColumn(DataTypes.TEXT),
      address: optionalColumn(DataTypes.TEXT),
      detail: withDefault(DataTypes.JSONB, {}),
    },
    { sequelize, modelName: "ActivityEntry", tableName: "activity_log" },
  );
