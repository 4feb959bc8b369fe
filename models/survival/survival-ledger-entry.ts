import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, identityColumn, optionalColumn, requiredColumn } from "../columns.ts";

export const ledgerObjectTypes = [
  "zone",
  "npc",
  "placement",
  "grant",
  "group",
  "titles",
  "voice",
  "participation",
  "kit",
  "announce",
  "map",
  "config",
] as const;

export type LedgerObjectType = (typeof ledgerObjectTypes)[number];

export const isLedgerObjectType = (name: string): name is LedgerObjectType =>
  (ledgerObjectTypes as readonly string[]).includes(name);

export const ledgerStates = [
  "pushed",
  "confirmed",
  "expired",
  "withdrawn",
  "failed",
  "lost",
] as const;

export type LedgerState = (typeof ledgerStates)[number];

/** A change that the site made in a game world, and its state. */
export class SurvivalLedgerEntry extends Model<
  InferAttributes<SurvivalLedgerEntry>,
  InferCreationAttributes<SurvivalLedgerEntry>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare what: LedgerObjectType;
  /** Id of the changed object: for a zone, the id of its lease. */
  declare ref: string;
  declare state: LedgerState;
  declare pushedAt: CreationOptional<Date>;
  declare confirmedAt: Date | null;
  /** When the game removes the object by itself. */
  declare leaseUntil: Date | null;
  declare endedAt: Date | null;
  declare reason: string | null;
  declare runId: number | null;
  declare stepId: number | null;
  declare bootId: string | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalLedgerEntry =>
  class extends SurvivalLedgerEntry {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      serverId: requiredColumn(DataTypes.INTEGER),
      what: requiredColumn(DataTypes.TEXT),
      ref: requiredColumn(DataTypes.TEXT),
      state: requiredColumn(DataTypes.TEXT),
      pushedAt: clockTimeColumn(),
      confirmedAt: optionalColumn(DataTypes.DATE),
      leaseUntil: optionalColumn(DataTypes.DATE),
      endedAt: optionalColumn(DataTypes.DATE),
      reason: optionalColumn(DataTypes.TEXT),
      runId: optionalColumn(DataTypes.INTEGER),
      stepId: optionalColumn(DataTypes.BIGINT),
      bootId: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "SurvivalLedgerEntry", tableName: "survival_ledger" },
  );
