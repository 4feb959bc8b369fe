import type { Transaction } from "sequelize";

import type { LedgerObjectType } from "../../../models/survival/survival-ledger-entry.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import type { SurvivalContext } from "../context.ts";
import type { Capability } from "../kinds/kind.ts";

export interface SyncTarget {
  readonly serverId: number;
  /** A new id of this sync, also sent to the sidecar. */
  readonly ref: string;
  readonly config: SurvivalContext["config"];
}

/** A kind of sync: how one kind of data is sent to a game server. */
export interface SyncKind {
  /** The capability that the server's plugin needs. */
  readonly capability: Capability;
  /**
   * Reads the wanted data, within the transaction that begins the sync.
   * @returns null if there is nothing to send
   */
  prepare(this: void, target: SyncTarget, transaction: Transaction): Promise<PreparedSync | null>;
}

export interface PreparedSync {
  /** Types of the sync's ledger entries, whose reference is the id of the sync. */
  readonly enters: readonly LedgerObjectType[];
  /** @throws {BridgeError} if the server refused or did not answer */
  send(this: void, control: ControlClient, order: CommandOptions): Promise<SyncAnswer>;
  /** Records the failure, in the transaction that ends the sync. */
  fail?(this: void, failure: SyncFailure, transaction: Transaction): Promise<void>;
}

export interface SyncAnswer {
  /** The server's refusal as text. The sync is retried. */
  readonly problem?: string;
  /**
   * Milliseconds to wait for the frame that reports the outcome to `settleSync`; absent if no frame reports it.
   */
  readonly outcomeWithinMs?: number;
  /** Records the result, in the transaction that ends the sync. */
  settle?(this: void, transaction: Transaction): Promise<void>;
}

export interface SyncFailure {
  readonly reason: string;
  /** True if the game may have carried out the command. */
  readonly isLost: boolean;
}

/** CATALOGUE of the kinds of syncs; see `delivery/sync-kinds.ts`. */
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
