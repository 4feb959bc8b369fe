import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, identity, optional, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof SurvivalLedgerEntry =>
  class extends SurvivalLedgerEntry {}.init(
    {
      id: identity(DataTypes.BIGINT),
      serverId: required(DataTypes.INTEGER),
      what: required(DataTypes.TEXT),
      ref: required(DataTypes.TEXT),
      state: required(DataTypes.TEXT),
      pushedAt: clockTime(),
      confirmedAt: optional(DataTypes.DATE),
      leaseUntil: optional(DataTypes.DATE),
      endedAt: optional(DataTypes.DATE),
      reason: optional(DataTypes.TEXT),
      runId: optional(DataTypes.INTEGER),
      stepId: optional(DataTypes.BIGINT),
      bootId: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "SurvivalLedgerEntry", tableName: "survival_ledger" },
  );
