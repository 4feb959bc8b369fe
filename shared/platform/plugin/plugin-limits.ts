export const pluginLimits = {
  protocol: { min: 1, max: 1 },
  /** Maximum number of events per call. */
  events: 500,
  /** Maximum size of the body of a hello or of events, in bytes. */
  bytes: 1024 * 1024,
  /** Maximum size of the body of an outcome, which may contain a file, in bytes. */
  outcomeBytes: 12 * 1024 * 1024,
  /** Maximum size of a decoded file in an outcome, in bytes. */
  fileBytes: 8 * 1024 * 1024,
  /** Maximum number of concurrent calls per key, over all web processes. */
  callsAtOnce: 8,
  /** Maximum number of hellos and calls with events, per key and second. */
  callsPerSecond: 20,
  /** Limits of waiting events per game server. Beyond them, events are refused. */
  waitingEvents: 50_000,
  waitingBytes: 256 * 1024 * 1024,
  /** Maximum duration of a long poll for commands, in seconds. */
  waitSeconds: 25,
  /** Seconds after the last call until a plugin counts as disconnected. */
  silentSeconds: 40,
  /** Milliseconds within which a plugin must take a command. */
  takeMs: 2_000,
  /** Maximum number of commands per long poll. */
  commands: 50,
  /** Minutes after the deadline until a taken command without an outcome counts as lost. */
  lostMinutes: 10,
  /** Hours for which an outcome is kept under its key, and for which a former game process is refused. */
  rememberedHours: 24,
  /** Maximum size in bytes of a small outcome, which is always kept for `rememberedHours`. */
  smallOutcomeBytes: 64 * 1024,
  /** Maximum total size in bytes of a game server's larger outcomes. The oldest are deleted first. */
  largeOutcomesBytes: 64 * 1024 * 1024,
  /** Hours for which the previous key works if the new key is not used. */
  formerKeyHours: 24,
  /** Days for which the hash of an ended key is kept. */
  endedKeyDays: 30,
  /** Maximum number of image keys per call to a plugin. */
  imageKeys: 50,
} as const;
