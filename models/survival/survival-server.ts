import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  type Sequelize,
} from "sequelize";

import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";

/** The rule that determines the next wipe. The game's own timer has the same rules. */
export type WipeRule = "weekly" | "biweekly" | "monthly" | "cron" | "once";

/** How many titles of a player the game shows. */
export const titleModes = ["first", "all", "upTo"] as const;
export type TitleMode = (typeof titleModes)[number];

export const serverLinkKinds = ["sidecar", "plugin", "webrcon"] as const;
export type ServerLinkKind = (typeof serverLinkKinds)[number];

/** The configuration of a survival server. */
export class SurvivalServer extends Model<
  InferAttributes<SurvivalServer>,
  InferCreationAttributes<SurvivalServer>
> {
  declare id: CreationOptional<number>;
  declare slug: string;
  declare name: string;
  declare description: string | null;
  declare region: string | null;
  /** The address to which players connect. It is never the sidecar's. */
  declare connect: string | null;
  declare sort: CreationOptional<number>;
  /** True if ingest connects to the server. */
  declare enabled: CreationOptional<boolean>;
  /** True if the server is public. */
  declare listed: CreationOptional<boolean>;
  /** True if a player can link a Steam account with a code of the server. The server must be public for that. */
  declare acceptsLinks: CreationOptional<boolean>;
  declare kind: CreationOptional<ServerLinkKind>;
  declare baseUrl: CreationOptional<string>;
  declare wsUrl: CreationOptional<string>;
  declare tokenSealed: string | null;
  declare protocol: CreationOptional<number>;
  /** The address of the WebRCON console, for links of the kind `webrcon`. */
  declare rconHost: CreationOptional<string>;
  declare rconPort: CreationOptional<number>;
  declare rconPasswordSealed: string | null;
  /** True if the console uses TLS. */
  declare rconTls: CreationOptional<boolean>;
  /** Times of recent connection attempts for which the console has not accepted the password. */
  declare rconDials: CreationOptional<Date[]>;
  declare showSeed: CreationOptional<boolean>;
  /** True to exclude staff from rankings. */
  declare ignoreStaff: CreationOptional<boolean>;
  declare permissionSync: CreationOptional<boolean>;
  declare wipeRule: WipeRule | null;
  /** 0 is Sunday. */
  declare wipeDay: number | null;
  /** The time of day of a wipe, as `HH:mm` in `wipeTimezone`. */
  declare wipeTime: string | null;
  declare wipeTimezone: string | null;
  declare wipeCron: string | null;
  declare wipeAt: Date | null;
  /** Time of the last change to the six columns above. */
  declare wipeSetAt: CreationOptional<Date>;
  declare titleMode: CreationOptional<TitleMode>;
  /** The maximum number of titles; only set in the mode `upTo`. */
  declare titleMax: number | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export const defineModel = (sequelize: Sequelize): typeof SurvivalServer =>
  class extends SurvivalServer {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      slug: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      name: requiredColumn(DataTypes.TEXT),
      description: optionalColumn(DataTypes.TEXT),
      region: optionalColumn(DataTypes.TEXT),
      connect: optionalColumn(DataTypes.TEXT),
      sort: withDefault(DataTypes.INTEGER, 0),
      enabled: withDefault(DataTypes.BOOLEAN, false),
      listed: withDefault(DataTypes.BOOLEAN, true),
      acceptsLinks: withDefault(DataTypes.BOOLEAN, true),
      kind: withDefault(DataTypes.TEXT, "sidecar"),
      baseUrl: withDefault(DataTypes.TEXT, ""),
      wsUrl: withDefault(DataTypes.TEXT, ""),
      tokenSealed: optionalColumn(DataTypes.TEXT),
      protocol: withDefault(DataTypes.INTEGER, 13),
      rconHost: withDefault(DataTypes.TEXT, ""),
      rconPort: withDefault(DataTypes.INTEGER, 28_016),
      rconPasswordSealed: optionalColumn(DataTypes.TEXT),
      rconTls: withDefault(DataTypes.BOOLEAN, false),
      rconDials: withDefault(
        DataTypes.ARRAY(DataTypes.DATE),
        literal("'{}'::timestamp with time zone[]"),
      ),
      showSeed: withDefault(DataTypes.BOOLEAN, true),
      ignoreStaff: withDefault(DataTypes.BOOLEAN, true),
      permissionSync: withDefault(DataTypes.BOOLEAN, true),
      wipeRule: optionalColumn(DataTypes.TEXT),
      wipeDay: optionalColumn(DataTypes.INTEGER),
      wipeTime: optionalColumn(DataTypes.TEXT),
      wipeTimezone: optionalColumn(DataTypes.TEXT),
      wipeCron: optionalColumn(DataTypes.TEXT),
      wipeAt: optionalColumn(DataTypes.DATE),
      wipeSetAt: transactionTimeColumn(),
      titleMode: withDefault(DataTypes.TEXT, "first"),
      titleMax: optionalColumn(DataTypes.INTEGER),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
    },
    { sequelize, modelName: "SurvivalServer", tableName: "survival_servers" },
  );
