import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";
import { clockNow } from "../queries/clock.ts";

/** What an import last stored, by kind: the source's fingerprint and what was read from it. */
export class ImportedSource extends Model<
  InferAttributes<ImportedSource>,
  InferCreationAttributes<ImportedSource>
> {
  declare kind: string;
  declare fingerprint: string;
  declare loaded: object;
  declare importedAt: CreationOptional<Date>;

  /** Takes the place of what the kind stored before. */
  static async store(
    { kind, fingerprint, loaded }: Pick<ImportedSource, "kind" | "fingerprint" | "loaded">,
    transaction: Transaction,
  ): Promise<void> {
    await this.upsert({ kind, fingerprint, loaded, importedAt: clockNow() }, { transaction });
  }
}

export const define = (sequelize: Sequelize): typeof ImportedSource =>
  class extends ImportedSource {}.init(
    {
      kind: key(DataTypes.TEXT),
      fingerprint: required(DataTypes.TEXT),
      loaded: required(DataTypes.JSONB),
      importedAt: clockTime(),
    },
    { sequelize, modelName: "ImportedSource", tableName: "imported_sources" },
  );
