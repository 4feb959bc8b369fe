/** The clock of the streams, in milliseconds. */
export interface StreamTiming {
  /** Between signs of life on a quiet stream; routers cut what is silent for 55 s. */
  readonly heartbeatMs: number;
  /** Between looks for streams that have stalled or are too old. */
  readonly sweepMs: number;
  /** How long bytes may wait to be read. */
  readonly stallMs: number;
  /** How long a stream lives at most; it ends at random within the last fifth. */
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
