/** Path of the page for authors of a plugin or a sidecar. */
export const guidePath = "/api/docs/bridge";

/** CATALOGUE of the page's sections: their titles by anchor. */
export const guideSections = {
  choice: "A plugin or a sidecar",
  calls: "The four calls of a plugin",
  outline: "Outline of a plugin",
  hello: "Say hello",
  buffer: "The buffer, epoch and seq",
  events: "Send events",
  "event-keys": "Event keys",
  gaps: "Gaps",
  states: "States, snapshots and resync",
  payloads: "Payloads",
  wait: "Wait for commands",
  commands: "Carry out commands",
  "idempotency-keys": "Idempotency keys",
  refusals: "What to do at each refusal",
  away: "When the site cannot be reached",
  socket: "The WebSocket of a sidecar",
  frames: "Frames",
  "sidecar-calls": "The calls to a sidecar",
  sources: "Sources that the site reads page by page",
  "plugin-calls": "Reference: the calls of a plugin",
  "uo-kinds": "Reference: event kinds of a shard",
  "uo-calls": "Reference: calls to a shard",
  "rust-kinds": "Reference: event kinds of a survival server",
  "rust-calls": "Reference: calls to a survival server",
} as const;

export type GuideSection = keyof typeof guideSections;
