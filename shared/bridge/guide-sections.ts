/** Where every site has the page for people who write a plugin or a sidecar. */
export const guidePath = "/api/docs/bridge";

/** CATALOGUE of the sections of that page: their titles by their anchors. */
export const guideSections = {
  choice: "A plugin or a sidecar",
  calls: "The four calls of a plugin",
  outline: "A plugin in twenty lines",
  hello: "Say hello",
  buffer: "Epoch, seq and the buffer",
  events: "Send events",
  "event-keys": "Event keys",
  gaps: "Gaps",
  states: "States, snapshots and resync",
  payloads: "Payloads",
  wait: "Wait for commands",
  commands: "Carry out commands",
  "idempotency-keys": "Idempotency keys",
  refusals: "What to do at each refusal",
  away: "When the site is away",
  socket: "The socket of a sidecar",
  frames: "Frames",
  "sidecar-calls": "The calls to a sidecar",
  sources: "Sources that are read page by page",
  "plugin-calls": "Reference: the calls of a plugin",
  "uo-kinds": "Reference: kinds of a shard",
  "uo-calls": "Reference: calls to a shard",
  "rust-kinds": "Reference: kinds of a survival server",
  "rust-calls": "Reference: calls to a survival server",
} as const;

export type GuideSection = keyof typeof guideSections;
