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
import type { User } from "../auth/user.ts";
import { clockTimeColumn, primaryKeyColumn, optionalColumn } from "../columns.ts";
import { insertRowOnce } from "../queries/insert-once.ts";

export class PausedQueue extends Model<
  InferAttributes<PausedQueue>,
  InferCreationAttributes<PausedQueue>
> {
  declare queue: string;
  /** Null after the user was deleted. */
  declare pausedBy: number | null;
  declare pausedAt: CreationOptional<Date>;
  declare pauser?: NonAttribute<User | null>;

  /** @returns false, without an effect, if the queue is already paused */
  static async pauseOnce(
    given: Pick<PausedQueue, "queue" | "pausedBy">,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await insertRowOnce(this, { ...given }, transaction)) !== null;
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "pauser", foreignKey: "pausedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof PausedQueue =>
  class extends PausedQueue {}.init(
    {
      queue: primaryKeyColumn(DataTypes.TEXT),
      pausedBy: optionalColumn(DataTypes.INTEGER),
      pausedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "PausedQueue", tableName: "paused_queues" },
  );
