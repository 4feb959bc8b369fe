export interface CheckTimes {
  /** Length of the plugin's minute, the unit of its pauses. */
  readonly minuteMs: number;
  /** Duration for which the site holds a wait. */
  readonly pollMs: number;
  /** The Retry-After of refusals. */
  readonly restSeconds: number;
  /** Timeout for actions that the plugin takes at once. */
  readonly soonMs: number;
  /** Timeout for actions of the game. */
  readonly patienceMs: number;
  readonly connectMs: number;
  readonly commandMs: number;
}

export interface TimeOptions {
  readonly minute: number;
  readonly patience: number;
  readonly rest: number;
}

/** @param options in seconds; `minute` is below 60 only for plugins in tests */
export const timesOf = ({ minute, patience, rest }: TimeOptions): CheckTimes => ({
  minuteMs: minute * 1_000,
  pollMs: (minute / 60) * 25_000,
  restSeconds: rest,
  soonMs: 5_000,
  patienceMs: patience * 1_000,
  connectMs: 15 * 60_000,
  commandMs: 10_000,
});
