import type { Transaction } from "sequelize";

import type { LedgerWhat } from "../../../models/survival/survival-ledger-entry.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import type { Control } from "../../platform/bridge/calls/control.ts";
import type { SurvivalContext } from "../context.ts";
import type { Capability } from "../kinds/kind.ts";

export interface PushTarget {
  readonly serverId: number;
  /** A new id of this push, also sent to the sidecar. */
  readonly ref: string;
  readonly config: SurvivalContext["config"];
}

/** A kind of push: how one kind of state is sent to a game server. */
export interface PushKind {
  /** The capability that the server's plugin needs. */
  readonly capability: Capability;
  /** Reads the wanted state, in the transaction that begins the push. @returns null for nothing */
  prepare(this: void, target: PushTarget, transaction: Transaction): Promise<PreparedPush | null>;
}

export interface PreparedPush {
  /** Types of the push's ledger entries, which have the id of the push. */
  readonly enters: readonly LedgerWhat[];
  /** @throws {BridgeError} when there is no good answer */
  send(this: void, control: Control, order: Order): Promise<PushAnswer>;
  /** Records the failure, in the transaction that ends the push. */
  fail?(this: void, failure: PushFailure, transaction: Transaction): Promise<void>;
}

export interface PushAnswer {
  /** The refusal of the server, in words; the push is retried. */
  readonly problem?: string;
  /** Set if a frame reports the outcome to `settlePush`: how long to wait for it. */
  readonly outcomeWithinMs?: number;
  /** Records the result, in the transaction that ends the push. */
  settle?(this: void, transaction: Transaction): Promise<void>;
}

export interface PushFailure {
  readonly reason: string;
  /** True if the push may have been carried out. */
  readonly isLost: boolean;
}

/** CATALOGUE of the kinds of pushes; see `delivery/push-kinds.ts`. */
export const pushNames = [
  "npcs",
  "permission-inventory",
  "permissions",
  "titles",
  "voice",
] as const;

export type PushName = (typeof pushNames)[number];

export const isPushName = (name: string): name is PushName =>
  (pushNames as readonly string[]).includes(name);
