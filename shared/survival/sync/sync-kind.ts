import type { Transaction } from "sequelize";

import type { LedgerObjectType } from "../../../models/survival/survival-ledger-entry.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { Control } from "../../platform/bridge/calls/control.ts";
import type { SurvivalContext } from "../context.ts";
import type { Capability } from "../kinds/kind.ts";

export interface SyncTarget {
  readonly serverId: number;
  /** A new id of this push, also sent to the sidecar. */
  readonly ref: string;
  readonly config: SurvivalContext["config"];
}

/** A kind of push: how one kind of state is sent to a game server. */
export interface SyncKind {
  /** The capability that the server's plugin needs. */
  readonly capability: Capability;
  /** Reads the wanted state, in the transaction that begins the push. @returns null for nothing */
  prepare(this: void, target: SyncTarget, transaction: Transaction): Promise<PreparedSync | null>;
}

export interface PreparedSync {
  /** Types of the push's ledger entries, which have the id of the push. */
  readonly enters: readonly LedgerObjectType[];
  /** @throws {BridgeError} when there is no good answer */
  send(this: void, control: Control, order: CommandOptions): Promise<SyncAnswer>;
  /** Records the failure, in the transaction that ends the push. */
  fail?(this: void, failure: SyncFailure, transaction: Transaction): Promise<void>;
}

export interface SyncAnswer {
  /** The refusal of the server, in words; the push is retried. */
  readonly problem?: string;
  /** Set if a frame reports the outcome to `settleSync`: how long to wait for it. */
  readonly outcomeWithinMs?: number;
  /** Records the result, in the transaction that ends the push. */
  settle?(this: void, transaction: Transaction): Promise<void>;
}

export interface SyncFailure {
  readonly reason: string;
  /** True if the push may have been carried out. */
  readonly isLost: boolean;
}

/** CATALOGUE of the kinds of pushes; see `delivery/sync-kinds.ts`. */
export const syncNames = [
  "npcs",
  "permission-inventory",
  "permissions",
  "titles",
  "voice",
] as const;

export type SyncName = (typeof syncNames)[number];

export const isSyncName = (name: string): name is SyncName =>
  (syncNames as readonly string[]).includes(name);
