import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { clockTime, key, optional } from "../columns.ts";

/** What a step brought about on the site itself: its row is made in the transaction that did it. */
export class EventEffect extends Model<
  InferAttributes<EventEffect>,
  InferCreationAttributes<EventEffect>
> {
  declare idempotencyKey: string;
  /** What the step was answered. */
  declare result: CreationOptional<Record<string, unknown> | null>;
  declare at: CreationOptional<Date>;

  /**
   * Claims a key. Of any number at once one gets the row, and the others wait for what becomes of it.
   * @returns null where the effect has come about
   */
  static async beginOnce(
    idempotencyKey: string,
    transaction: Transaction,
  ): Promise<EventEffect | null> {
    const options = { ignoreDuplicates: true, returning: true, transaction } as const;
    const [begun] = await this.bulkCreate([{ idempotencyKey }], options);
    // Of a row that was there nothing comes back, and `at` is still what the database was to put there.
    return begun?.at instanceof Date ? begun : null;
  }
}

export const define = (sequelize: Sequelize): typeof EventEffect =>
  class extends EventEffect {}.init(
    {
      idempotencyKey: key(DataTypes.TEXT),
      result: optional(DataTypes.JSONB),
      at: clockTime(),
    },
    {
      sequelize,
      modelName: "EventEffect",
      tableName: "event_effects",
    },
  );
