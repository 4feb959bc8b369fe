/** Limits of the calls of a plugin. */
export const pluginLimits = {
  /** Version of the calls. */
  protocol: { min: 1, max: 1 },
  /** Events of one call. */
  events: 500,
  /** Bytes of the body of a hello or of events. */
  bytes: 1024 * 1024,
  /** Bytes of the body of an outcome, which may hold a file. */
  outcomeBytes: 12 * 1024 * 1024,
  /** Bytes of a file in an outcome, decoded. */
  fileBytes: 8 * 1024 * 1024,
  /** Calls of one key at once, over all web processes. */
  callsAtOnce: 8,
  /** Hellos and calls with events of one key in a second. */
  callsPerSecond: 20,
  /** What may wait for ingest of one game server before events are refused. */
  waitingEvents: 50_000,
  waitingBytes: 256 * 1024 * 1024,
  /** Seconds that a wait for commands takes at most. */
  waitSeconds: 25,
  /** Seconds from the end of the last call after which a plugin counts as lost. */
  silentSeconds: 40,
  /** Milliseconds within which a plugin must take a command. */
  takeMs: 2_000,
  /** Commands of one answer. */
  commands: 50,
  /** Minutes after its time at which a taken command without an outcome is lost. */
  lostMinutes: 10,
  /** Hours for which an outcome is remembered under its key, and a former boot is refused. */
  rememberedHours: 24,
  /** Bytes of an outcome that is surely remembered that long. */
  smallOutcomeBytes: 64 * 1024,
  /** Bytes of all larger outcomes of one game server that are remembered: the newest of them. */
  largeOutcomesBytes: 64 * 1024 * 1024,
  /** Hours for which the former key works beside a new one that is not used yet. */
  formerKeyHours: 24,
  /** Days for which the hash of an ended key is kept. */
  endedKeyDays: 30,
  /** Keys of images that the service sends to a plugin in one call. */
  imageKeys: 50,
} as const;
