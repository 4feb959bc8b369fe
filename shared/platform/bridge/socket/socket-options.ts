import type { Logger } from "../../log.ts";
import type { Cursor } from "../frames.ts";

/** Settings that an administrator configures. */
export interface SocketSettings {
  readonly wsUrl: string;
  readonly token: string;
  readonly protocol: number;
}

/** Times in milliseconds. */
export const socketTiming = {
  handshakeMs: 10_000,
  /** Time from the handshake to the sidecar's hello. */
  helloMs: 15_000,
  pingMs: 15_000,
  deadMs: 45_000,
  firstRetryMs: 1_000,
  lastRetryMs: 60_000,
  /** Wait after a refused token or protocol, which only an administrator can correct. */
  refusedRetryMs: 60_000,
  ackMs: 1_000,
};

/** The socket pauses when the waiting frames reach a limit. `payloadBytes` limits the size of one message. */
export const socketBounds = {
  waitingFrames: 50_000,
  waitingBytes: 64 * 1024 * 1024,
  payloadBytes: 1024 * 1024,
};

/**
 * `reconnecting`: there is no socket. `error`: the token or protocol was refused; this state lasts until a
 * connection succeeds.
 */
export const linkStates = ["connected", "reconnecting", "disconnected", "error"] as const;
export type LinkState = (typeof linkStates)[number];

export interface SocketStatus {
  readonly state: LinkState;
  readonly reason: string | null;
  /** True if the game process is connected to the sidecar. False without a socket. */
  readonly pluginConnected: boolean;
}

export interface SocketOptions {
  readonly cursor: () => Promise<Cursor | null>;
  readonly log: Logger;
  readonly onStatus?: (status: SocketStatus) => void;
  readonly timing?: Partial<typeof socketTiming>;
  readonly bounds?: Partial<typeof socketBounds>;
  readonly random?: () => number;
}
