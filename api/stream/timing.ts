/** The intervals of the streams, in milliseconds. */
export interface StreamTiming {
  /** Between heartbeats on an idle stream. Proxies close connections that are silent for 55 s. */
  readonly heartbeatMs: number;
  /** Between checks for stalled and old streams. */
  readonly sweepMs: number;
  readonly stallMs: number;
  /** The maximum age of a stream, which ends at a random time in the last fifth. */
  readonly maxAgeMs: number;
  readonly pollMs: number;
}

export const standardTiming: StreamTiming = {
  heartbeatMs: 20_000,
  sweepMs: 5_000,
  stallMs: 20_000,
  maxAgeMs: 10 * 60_000,
  pollMs: 5_000,
};
