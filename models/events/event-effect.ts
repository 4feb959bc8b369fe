import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn, optionalColumn } from "../columns.ts";

/** A record of a step's effect on the site, written in the same transaction as the effect. */
export class EventEffect extends Model<
  InferAttributes<EventEffect>,
  InferCreationAttributes<EventEffect>
> {
  declare idempotencyKey: string;
  /** Result of the step. */
  declare result: CreationOptional<Record<string, unknown> | null>;
  declare at: CreationOptional<Date>;

  /** Inserts the row of an effect. Concurrent calls wait for the first one. @returns null if the row exists */
  static async claimOnce(
    idempotencyKey: string,
    transaction: Transaction,
  ): Promise<EventEffect | null> {
    const options = { ignoreDuplicates: true, returning: true, transaction } as const;
    const [begun] = await this.bulkCreate([{ idempotencyKey }], options);
    // If the row exists, the insert returns nothing, and `at` still holds the SQL of its default.
    return begun?.at instanceof Date ? begun : null;
  }
}

export const defineModel = (sequelize: Sequelize): typeof EventEffect =>
  class extends EventEffect {}.init(
    {
      idempotencyKey: primaryKeyColumn(DataTypes.TEXT),
      result: optionalColumn(DataTypes.JSONB),
      at: clockTimeColumn(),
    },
    {
      sequelize,
      modelName: "EventEffect",
      tableName: "event_effects",
    },
  );
