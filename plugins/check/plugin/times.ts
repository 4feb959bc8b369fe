export interface CheckTimes {
  /** The length of a minute in the plugin's pauses. It is below 60 s only for plugins in tests. */
  readonly minuteMs: number;
  /** How long the site keeps a poll for commands open. */
  readonly pollMs: number;
  /** The Retry-After that refusals contain. */
  readonly restSeconds: number;
  /** Timeout for actions that the plugin does at once. */
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

/** Converts the options, which are in seconds. `minute` is below 60 only for plugins in tests. */
export const toCheckTimes = ({ minute, patience, rest }: TimeOptions): CheckTimes => ({
  minuteMs: minute * 1_000,
  pollMs: (minute / 60) * 25_000,
  restSeconds: rest,
  soonMs: 5_000,
  patienceMs: patience * 1_000,
  connectMs: 15 * 60_000,
  commandMs: 10_000,
});
