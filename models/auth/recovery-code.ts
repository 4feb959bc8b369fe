import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
} from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** A single-use replacement for the second factor. */
export class RecoveryCode extends Model<
  InferAttributes<RecoveryCode>,
  InferCreationAttributes<RecoveryCode>
> {
  declare id: CreationOptional<number>;
  declare userId: number;
  /** First two characters of the code in plain text. They select the one hash to compare the code with. */
  declare slot: string;
  declare codeHash: string;
  declare createdAt: CreationOptional<Date>;
  declare usedAt: Date | null;

  /** @returns false if the code was already used */
  static async useOnce(id: number, transaction: Transaction): Promise<boolean> {
    const [used] = await this.scope("unused").update(
      { usedAt: clockNow() },
      { where: { id }, transaction },
    );
    return used === 1;
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof RecoveryCode =>
  class extends RecoveryCode {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      userId: requiredColumn(DataTypes.INTEGER),
      slot: requiredColumn(DataTypes.TEXT),
      codeHash: requiredColumn(DataTypes.TEXT),
      createdAt: transactionTimeColumn(),
      usedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "RecoveryCode",
      tableName: "recovery_codes",
      indexes: [{ unique: true, fields: ["user_id", "slot"] }],
      scopes: { unused: { where: { usedAt: null } } },
    },
  );
