/** How long the checks wait and hold. */
export interface Times {
  /** A minute of the plugin, which its pauses are made of. */
  readonly minuteMs: number;
  /** How long a wait is held. */
  readonly pollMs: number;
  /** What the checks answer as Retry-After. */
  readonly restSeconds: number;
  /** For what the plugin does by itself, at once. */
  readonly soonMs: number;
  /** For what the game has to do. */
  readonly patienceMs: number;
  /** For the first hello. */
  readonly connectMs: number;
  /** What a command may take. */
  readonly commandMs: number;
}

export interface TimeOptions {
  readonly minute: number;
  readonly patience: number;
  readonly rest: number;
}

/** @param options in seconds; a minute is shorter only for plugins that are made for tests */
export const timesOf = ({ minute, patience, rest }: TimeOptions): Times => ({
  minuteMs: minute * 1_000,
  pollMs: (minute / 60) * 25_000,
  restSeconds: rest,
  soonMs: 5_000,
  patienceMs: patience * 1_000,
  connectMs: 15 * 60_000,
  commandMs: 10_000,
});
