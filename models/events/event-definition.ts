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
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";
import type { EventSeries } from "./event-series.ts";
import type { EventVersion } from "./event-version.ts";

/** The draft of an event. Runs use a published version. */
export class EventDefinition extends Model<
  InferAttributes<EventDefinition>,
  InferCreationAttributes<EventDefinition>
> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare title: string;
  declare summary: CreationOptional<string>;
  declare body: CreationOptional<string>;
  declare imageUrl: string | null;
  declare ownerModule: CreationOptional<string>;
  declare state: CreationOptional<"draft" | "ready" | "archived">;
  declare currentVersionId: number | null;
  declare seriesId: number | null;
  declare seriesOrder: CreationOptional<number>;
  /** Runs with an equal key run one at a time. */
  declare concurrencyKey: string | null;
  /** How late a run may begin. */
  declare graceSeconds: CreationOptional<number>;
  declare timezone: CreationOptional<string>;
  declare spec: object;
  /** Incremented by each change of the draft. */
  declare revision: CreationOptional<number>;
  /** Each occurrence of the published schedule before this time has a run. */
  declare materialisedUntil: Date | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  declare currentVersion?: NonAttribute<EventVersion | null>;
  declare series?: NonAttribute<EventSeries | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "EventSeries", as: "series", foreignKey: "seriesId", onDelete: "SET NULL" },
  {
    owner: "EventVersion",
    as: "currentVersion",
    foreignKey: "currentVersionId",
    onDelete: "NO ACTION",
    isUnconstrained: true,
  },
];

export const defineModel = (sequelize: Sequelize): typeof EventDefinition =>
  class extends EventDefinition {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      slug: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      title: requiredColumn(DataTypes.TEXT),
      summary: withDefault(DataTypes.TEXT, ""),
      body: withDefault(DataTypes.TEXT, ""),
      imageUrl: optionalColumn(DataTypes.TEXT),
      ownerModule: withDefault(DataTypes.TEXT, "core"),
      state: withDefault(DataTypes.TEXT, "draft"),
      currentVersionId: optionalColumn(DataTypes.INTEGER),
      seriesId: optionalColumn(DataTypes.INTEGER),
      seriesOrder: withDefault(DataTypes.INTEGER, 0),
      concurrencyKey: optionalColumn(DataTypes.TEXT),
      graceSeconds: withDefault(DataTypes.INTEGER, 900),
      timezone: withDefault(DataTypes.TEXT, "UTC"),
      spec: requiredColumn(DataTypes.JSONB),
      revision: withDefault(DataTypes.INTEGER, 1),
      materialisedUntil: optionalColumn(DataTypes.DATE),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
    },
    {
      sequelize,
      modelName: "EventDefinition",
      tableName: "event_definitions",
    },
  );
