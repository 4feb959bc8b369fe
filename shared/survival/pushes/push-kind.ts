import type { Transaction } from "sequelize";

import type { LedgerWhat } from "../../../models/survival/survival-ledger-entry.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import type { Control } from "../../platform/bridge/calls/control.ts";
import type { SurvivalContext } from "../context.ts";
import type { Capability } from "../kinds/kind.ts";

/** One push to one server. */
export interface PushTarget {
  readonly serverId: number;
  /** A new id of this push, which the sidecar knows it by as well. */
  readonly ref: string;
  readonly config: SurvivalContext["config"];
}

/** How state of one sort is brought to a game server. */
export interface PushKind {
  /** Without it the server's plugin cannot be told. */
  readonly capability: Capability;
  /**
   * Reads what the server should have, in the transaction that begins the push.
   * @returns null when there is nothing to tell it
   */
  prepare(this: void, target: PushTarget, transaction: Transaction): Promise<PreparedPush | null>;
}

export interface PreparedPush {
  /** The rows of the ledger that tell of the push, each under its id. */
  readonly enters: readonly LedgerWhat[];
  /** @throws {BridgeError} when there is no good answer */
  send(this: void, control: Control, order: Order): Promise<PushAnswer>;
  /** Writes down that it did not come through, in the transaction that ends the push. */
  fail?(this: void, failure: PushFailure, transaction: Transaction): Promise<void>;
}

export interface PushAnswer {
  /** What the server did not take, in words; it is tried again. */
  readonly problem?: string;
  /** How long its outcome is waited for, where a frame brings that to `settlePush`. */
  readonly outcomeWithinMs?: number;
  /** Writes down what came of it, in the transaction that ends the push. */
  settle?(this: void, transaction: Transaction): Promise<void>;
}

export interface PushFailure {
  readonly reason: string;
  /** Whether nobody knows if it was carried out. */
  readonly isLost: boolean;
}

/** CATALOGUE of the sorts of state that game servers are pushed; `delivery/push-kinds.ts` says how each is. */
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
