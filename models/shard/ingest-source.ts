import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, optionalColumn, withDefault } from "../columns.ts";

/** A source of events, with its cursor, its state and the process that owns its connection. */
export class IngestSource extends Model<
  InferAttributes<IngestSource>,
  InferCreationAttributes<IngestSource>
> {
  declare source: string;
  /** Incremented when another process takes over the source. Writes with a lower number are refused. */
  declare fence: CreationOptional<number>;
  declare owner: string | null;
  declare backendPid: number | null;
  declare beatAt: Date | null;
  /** Id of the sidecar's buffer. Each buffer numbers its frames anew. */
  declare epoch: string | null;
  declare seq: number | null;
  declare bootId: string | null;
  declare state: CreationOptional<"connected" | "reconnecting" | "disconnected" | "error">;
  /** Start of the current state. */
  declare stateSince: Date | null;
  declare reason: string | null;
  declare pluginConnected: CreationOptional<boolean>;
  declare hello: Record<string, unknown> | null;
  declare received: CreationOptional<number>;
  declare stored: CreationOptional<number>;
  declare duplicates: CreationOptional<number>;
  declare rejected: CreationOptional<number>;
  /** Number of rows that were dropped from frames because of an invalid value. */
  declare rowsLeftOut: CreationOptional<number>;
  declare gaps: CreationOptional<number>;
  declare lastAckAt: Date | null;
  declare lastEventAt: Date | null;
  declare stale: CreationOptional<string[]>;
  declare unknownLinks: CreationOptional<number>;
}

export const defineModel = (sequelize: Sequelize): typeof IngestSource =>
  class extends IngestSource {}.init(
    {
      source: primaryKeyColumn(DataTypes.TEXT),
      fence: withDefault(DataTypes.BIGINT, 0),
      owner: optionalColumn(DataTypes.TEXT),
      backendPid: optionalColumn(DataTypes.INTEGER),
      beatAt: optionalColumn(DataTypes.DATE),
      epoch: optionalColumn(DataTypes.TEXT),
      seq: optionalColumn(DataTypes.BIGINT),
      bootId: optionalColumn(DataTypes.TEXT),
      state: withDefault(DataTypes.TEXT, "disconnected"),
      stateSince: optionalColumn(DataTypes.DATE),
      reason: optionalColumn(DataTypes.TEXT),
      pluginConnected: withDefault(DataTypes.BOOLEAN, false),
      hello: optionalColumn(DataTypes.JSONB),
      received: withDefault(DataTypes.BIGINT, 0),
      stored: withDefault(DataTypes.BIGINT, 0),
      duplicates: withDefault(DataTypes.BIGINT, 0),
      rejected: withDefault(DataTypes.BIGINT, 0),
      rowsLeftOut: withDefault(DataTypes.BIGINT, 0),
      gaps: withDefault(DataTypes.BIGINT, 0),
      lastAckAt: optionalColumn(DataTypes.DATE),
      lastEventAt: optionalColumn(DataTypes.DATE),
      stale: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      unknownLinks: withDefault(DataTypes.BIGINT, 0),
    },
    { sequelize, modelName: "IngestSource", tableName: "ingest_sources" },
  );
