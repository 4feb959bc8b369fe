import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn, requiredColumn } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** The last stored import of a kind: the source's fingerprint and the data that was read. */
export class ImportedSource extends Model<
  InferAttributes<ImportedSource>,
  InferCreationAttributes<ImportedSource>
> {
  declare kind: string;
  declare fingerprint: string;
  declare loaded: object;
  declare importedAt: CreationOptional<Date>;

  /** Replaces the stored import of the kind. */
  static async store(
    { kind, fingerprint, loaded }: Pick<ImportedSource, "kind" | "fingerprint" | "loaded">,
    transaction: Transaction,
  ): Promise<void> {
    await this.upsert({ kind, fingerprint, loaded, importedAt: clockNow() }, { transaction });
  }
}

export const defineModel = (sequelize: Sequelize): typeof ImportedSource =>
  class extends ImportedSource {}.init(
    {
      kind: primaryKeyColumn(DataTypes.TEXT),
      fingerprint: requiredColumn(DataTypes.TEXT),
      loaded: requiredColumn(DataTypes.JSONB),
      importedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "ImportedSource", tableName: "imported_sources" },
  );
