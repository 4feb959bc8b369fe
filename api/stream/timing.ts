/** The intervals of the streams, in milliseconds. */
export interface StreamTiming {
  /** The time between heartbeats on an idle stream. Proxies close connections that are silent for 55 s. */
  readonly heartbeatMs: number;
  /** The time between checks for clients that do not read and for streams that are too old. */
  readonly sweepMs: number;
  readonly stallMs: number;
  /** The maximum age of a stream. Each stream ends at a random time in the last fifth of this age. */
  readonly maxAgeMs: number;
  readonly pollMs: number;
  /** How long a topic without streams keeps its events in memory, for clients that reconnect. */
  readonly topicIdleMs: number;
}

export const defaultStreamTiming: StreamTiming = {
  heartbeatMs: 20_000,
  sweepMs: 5_000,
  stallMs: 20_000,
  maxAgeMs: 10 * 60_000,
  pollMs: 5_000,
  topicIdleMs: 60_000,
};
