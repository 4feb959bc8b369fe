import {
  type CreateOptions,
  type CreationOptional,
  DataTypes,
  EmptyResultError,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { User } from "../auth/user.ts";
import { clockTime, key, optional } from "../columns.ts";

/** A queue that no worker takes jobs from. */
export class PausedQueue extends Model<
  InferAttributes<PausedQueue>,
  InferCreationAttributes<PausedQueue>
> {
  declare queue: string;
  /** Null once that user is deleted. */
  declare pausedBy: number | null;
  declare pausedAt: CreationOptional<Date>;
  declare pauser?: NonAttribute<User | null>;

  /** @returns false, nothing being done, when it is paused already */
  static async pauseOnce(
    given: Pick<PausedQueue, "queue" | "pausedBy">,
    transaction: Transaction,
  ): Promise<boolean> {
    const options: CreateOptions<InferAttributes<PausedQueue>> = {
      transaction,
      ignoreDuplicates: true,
    };
    try {
      await this.create({ ...given }, options);
      return true;
    } catch (error) {
      if (error instanceof EmptyResultError) return false;
      throw error;
    }
  }
}

export const definePausedQueue = (sequelize: Sequelize): typeof PausedQueue =>
  class extends PausedQueue {}.init(
    {
      queue: key(DataTypes.TEXT),
      pausedBy: optional(DataTypes.INTEGER),
      pausedAt: clockTime(),
    },
    { sequelize, modelName: "PausedQueue", tableName: "paused_queues" },
  );
