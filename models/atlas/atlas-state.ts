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

import { optional, onlyRow, withDefault } from "../columns.ts";

/** Which generation of the atlas is shown, and which refresh waits for review. One row. */
export class AtlasState extends Model<
  InferAttributes<AtlasState>,
  InferCreationAttributes<AtlasState>
> {
  declare id: CreationOptional<number>;
  declare generation: CreationOptional<number>;
  declare pendingStatus: "pending" | "rejected" | null;
  declare pendingFingerprint: string | null;
  declare pending: object | null;

  /** The one row. */
  static async read(options: FindOptions<InferAttributes<AtlasState>> = {}): Promise<AtlasState> {
    const state = await this.findOne(options);
    if (!state) throw new Error("the row of atlas_state is missing");
    return state;
  }

  /** Shows a generation; no refresh waits for review any more. */
  static async show(generation: number, transaction: Transaction): Promise<void> {
    await this.update({ generation, ...nothingPending }, { where: {}, transaction });
  }

  /** Shows what was approved. @returns false when no refresh waits, as when it was rejected */
  static async showPending(generation: number, transaction: Transaction): Promise<boolean> {
    const [count] = await this.scope("pending").update(
      { generation, ...nothingPending },
      { where: {}, transaction },
    );
    return count > 0;
  }

  /** Puts a refresh up for review, in place of the one before. */
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

  /** @returns the refresh that was rejected; null when none waits */
  static async rejectOnce(transaction: Transaction): Promise<object | null> {
    const [, [state]] = await this.scope("pending").update(
      { pendingStatus: "rejected" },
      { where: {}, transaction, returning: true },
    );
    return state?.pending ?? null;
  }

  /** Forgets the refresh that waits. */
  static async withdrawPending(transaction: Transaction): Promise<void> {
    await this.scope("pending").update(nothingPending, { where: {}, transaction });
  }
}

const nothingPending = { pendingStatus: null, pendingFingerprint: null, pending: null };

export const define = (sequelize: Sequelize): typeof AtlasState =>
  class extends AtlasState {}.init(
    {
      id: onlyRow(),
      generation: withDefault(DataTypes.INTEGER, 0),
      pendingStatus: optional(DataTypes.TEXT),
      pendingFingerprint: optional(DataTypes.TEXT),
      pending: optional(DataTypes.JSONB),
    },
    {
      sequelize,
      modelName: "AtlasState",
      tableName: "atlas_state",
      scopes: { pending: { where: { pendingStatus: "pending" } } },
    },
  );
