import {
  type CreationOptional,
  DataTypes,
  type FindOptions,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { optionalColumn, singleRowKey, withDefault } from "../columns.ts";

/** The current generation of the atlas, and the refresh that waits for review. A single row. */
export class AtlasState extends Model<
  InferAttributes<AtlasState>,
  InferCreationAttributes<AtlasState>
> {
  declare id: CreationOptional<number>;
  declare generation: CreationOptional<number>;
  declare pendingStatus: "pending" | "rejected" | null;
  declare pendingFingerprint: string | null;
  declare pending: object | null;

  static async read(options: FindOptions<InferAttributes<AtlasState>> = {}): Promise<AtlasState> {
    const state = await this.findOne(options);
    if (!state) throw new Error("the row of atlas_state is missing");
    return state;
  }

  /** Makes a generation current and drops a pending refresh. */
  static async show(generation: number, transaction: Transaction): Promise<void> {
    await this.update({ generation, ...nothingPending }, { where: {}, transaction });
  }

  /** Makes an approved refresh current. @returns false if no refresh is pending, as after a rejection */
  static async showPending(generation: number, transaction: Transaction): Promise<boolean> {
    const [count] = await this.scope("pending").update(
      { generation, ...nothingPending },
      { where: {}, transaction },
    );
    return count > 0;
  }

  /** Replaces the pending refresh. */
  static async propose(
    { fingerprint, pending }: { readonly fingerprint: string; readonly pending: object },
    transaction: Transaction,
  ): Promise<void> {
    const proposed = {
      pendingStatus: "pending",
      pendingFingerprint: fingerprint,
      pending,
    } as const;
    await this.update(proposed, { where: {}, transaction });
  }

  /** @returns the rejected refresh; null if none was pending */
  static async rejectOnce(transaction: Transaction): Promise<object | null> {
    const [, [state]] = await this.scope("pending").update(
      { pendingStatus: "rejected" },
      { where: {}, transaction, returning: true },
    );
    return state?.pending ?? null;
  }

  static async withdrawPending(transaction: Transaction): Promise<void> {
    await this.scope("pending").update(nothingPending, { where: {}, transaction });
  }
}

const nothingPending = { pendingStatus: null, pendingFingerprint: null, pending: null };

export const defineModel = (sequelize: Sequelize): typeof AtlasState =>
  class extends AtlasState {}.init(
    {
      id: singleRowKey(),
      generation: withDefault(DataTypes.INTEGER, 0),
      pendingStatus: optionalColumn(DataTypes.TEXT),
      pendingFingerprint: optionalColumn(DataTypes.TEXT),
      pending: optionalColumn(DataTypes.JSONB),
    },
    {
      sequelize,
      modelName: "AtlasState",
      tableName: "atlas_state",
      scopes: { pending: { where: { pendingStatus: "pending" } } },
    },
  );
