/** The correct frame of an event, before it is made malformed. */
export type EventFrame = Readonly<Record<string, unknown>>;

type KindAndPayload = Readonly<{ kind: string; payload: unknown }>;

/** Kinds and payloads of a game with which malformed frames are built. */
export interface MalformedSamples {
  /** A known kind with a payload that its schema refuses. */
  readonly wrongPayload: KindAndPayload;
  /** A known kind with an invalid id in its payload. */
  readonly oddId: KindAndPayload;
  readonly unknownKind: KindAndPayload;
  /** Returns a valid event that contains a text of a player. */
  readonly chat: (text: string) => KindAndPayload;
}

interface Form {
  /** True if a correct client stores the event although its frame is malformed. */
  readonly stored: boolean;
  readonly spoil: (frame: EventFrame, dialect: MalformedSamples) => string;
}

const withFields = (fields: Record<string, unknown>): Form["spoil"] => {
  return (frame) => JSON.stringify({ ...frame, ...fields });
};

const refused = (fields: Record<string, unknown>): Form => ({
  stored: false,
  spoil: withFields(fields),
});

const worded = (stored: boolean, words: (dialect: MalformedSamples) => KindAndPayload): Form => ({
  stored,
  spoil: (frame, dialect) => JSON.stringify({ ...frame, ...words(dialect) }),
});

/** Builds nested lists as text, because a serializer may overflow its stack. */
function nested(depth: number): Form["spoil"] {
  const payload = `{"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  return (frame) =>
    JSON.stringify({ ...frame, payload: 0 }).replace('"payload":0', `"payload":${payload}`);
}

const kib = 1_024;

/**
 * CATALOGUE of ways in which the frame of an event can be malformed. Such an event has a place in the buffer, so
 * a replay sends the malformed frame again.
 */
const forms = {
  noKind: refused({ kind: undefined }),
  oddKind: refused({ kind: "Vendor Sale!" }),
  longKind: refused({ kind: "k".repeat(65) }),
  noTime: refused({ t: undefined }),
  textTime: refused({ t: "yesterday" }),
  fractionTime: refused({ t: 1.5 }),
  negativeTime: refused({ t: -1 }),
  hugeTime: refused({ t: 2 ** 53 + 2 }),
  noPayload: refused({ payload: undefined }),
  textPayload: refused({ payload: "hello" }),
  listPayload: refused({ payload: [] }),
  wrongPayload: worded(false, (dialect) => dialect.wrongPayload),
  oddSerial: worded(false, (dialect) => dialect.oddId),
  deep: { stored: false, spoil: nested(40) },
  veryDeep: { stored: false, spoil: nested(20_000) },
  oversized: refused({ payload: { padding: "x".repeat(300 * kib) } }),
  huge: refused({ payload: { padding: "x".repeat(1_200 * kib) } }),
  unknownKind: worded(true, (dialect) => dialect.unknownKind),
  nul: worded(true, ({ chat }) => chat("before\u0000after")),
  surrogate: worded(true, ({ chat }) => chat("before\uD800after")),
  extraFields: { stored: true, spoil: withFields({ colour: "red" }) },
} satisfies Record<string, Form>;

export type FrameForm = keyof typeof forms;

export const isFrameForm = (name: string): name is FrameForm => Object.hasOwn(forms, name);
export const frameForms = Object.keys(forms) as FrameForm[];
export const buildMalformedFrame = (
  form: FrameForm,
  frame: EventFrame,
  dialect: MalformedSamples,
): string => forms[form].spoil(frame, dialect);
export const isStored = (form: FrameForm | null): boolean => form === null || forms[form].stored;

/** CATALOGUE of frames that are no events. They have no seq and are sent only once. */
export const strayFrames = {
  notJson: '{"type":"event","epoch":',
  empty: "",
  list: "[]",
  number: "42",
  nullFrame: "null",
  unknownType: '{"type":"weather","sky":"storm"}',
  noType: '{"seq":1}',
  noSeq: '{"type":"event","kind":"chat.message","t":1,"payload":{}}',
  textSeq: '{"type":"event","epoch":"x","seq":"1","kind":"chat.message","t":1,"payload":{}}',
  oddGap: '{"type":"gap","from":9,"to":3,"reason":7}',
  oddPlugin: '{"type":"plugin","connected":"maybe"}',
  binary: Buffer.from([0, 159, 146, 150]),
} as const satisfies Record<string, string | Buffer>;

export const isStrayFrame = (name: string): name is keyof typeof strayFrames =>
  Object.hasOwn(strayFrames, name);

/** The samples of a shard for malformed frames. */
export const shardDialect: MalformedSamples = {
  wrongPayload: { kind: "vendor.sale", payload: { vendor: 7, price: "a lot", items: null } },
  oddId: { kind: "house.removed", payload: { serial: "0xFFFFFFFF", reason: "traded" } },
  unknownKind: { kind: "shard.mystery", payload: { acct: "maple", ip: "203.0.113.9" } },
  chat: (text) => ({
    kind: "chat.message",
    payload: { channel: "General", name: "Ilan", serial: "0x0000A001", text },
  }),
};
