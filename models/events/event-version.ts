import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import type { User } from "../auth/user.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";

/** An immutable published version of an event. */
export class EventVersion extends Model<
  InferAttributes<EventVersion>,
  InferCreationAttributes<EventVersion>
> {
  declare id: CreationOptional<number>;
  declare definitionId: number;
  declare number: number;
  declare title: string;
  declare summary: string;
  declare body: string;
  declare imageUrl: string | null;
  declare timezone: string;
  declare graceSeconds: number;
  declare concurrencyKey: string | null;
  /** The spec with all defaults. */
  declare spec: object;
  declare specSha256: Buffer;
  /** Revision of the draft that was published. */
  declare revision: CreationOptional<number>;
  declare publishedAt: CreationOptional<Date>;
  declare publishedBy: number | null;
  /** Time of the last dry run without faults. */
  declare verifiedAt: Date | null;
  declare verifiedBy: number | null;
  declare publisher?: NonAttribute<User | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "publisher", foreignKey: "publishedBy", onDelete: "SET NULL" },
  { owner: "User", as: "verifier", foreignKey: "verifiedBy", onDelete: "SET NULL" },
  { owner: "EventDefinition", as: "definition", foreignKey: "definitionId", onDelete: "NO ACTION" },
];

export const defineModel = (sequelize: Sequelize): typeof EventVersion =>
  class extends EventVersion {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      definitionId: requiredColumn(DataTypes.INTEGER),
      number: requiredColumn(DataTypes.INTEGER),
      title: requiredColumn(DataTypes.TEXT),
      summary: requiredColumn(DataTypes.TEXT),
      body: requiredColumn(DataTypes.TEXT),
      imageUrl: optionalColumn(DataTypes.TEXT),
      timezone: requiredColumn(DataTypes.TEXT),
      graceSeconds: requiredColumn(DataTypes.INTEGER),
      concurrencyKey: optionalColumn(DataTypes.TEXT),
      spec: requiredColumn(DataTypes.JSONB),
      specSha256: requiredColumn(DataTypes.BLOB),
      revision: withDefault(DataTypes.INTEGER, 0),
      publishedAt: transactionTimeColumn(),
      publishedBy: optionalColumn(DataTypes.INTEGER),
      verifiedAt: optionalColumn(DataTypes.DATE),
      verifiedBy: optionalColumn(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "EventVersion",
      tableName: "event_versions",
      indexes: [{ unique: true, fields: ["definition_id", "number"] }],
    },
  );
