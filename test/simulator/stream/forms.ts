/** The frame of an event, before it is spoiled. */
export type EventFrame = Readonly<Record<string, unknown>>;

type Words = Readonly<{ kind: string; payload: unknown }>;

/** Kinds and payloads of one sort of game server, for frames that are odd in what they say. */
export interface Dialect {
  /** A known kind, with a payload that its schema refuses. */
  readonly wrongPayload: Words;
  /** A known kind that names something by an id that cannot be. */
  readonly oddId: Words;
  readonly unknownKind: Words;
  /** A sound event that says a text of somebody's. */
  readonly chat: (text: string) => Words;
}

interface Form {
  /** Whether a client that follows the protocol stores the event all the same. */
  readonly stored: boolean;
  readonly spoil: (frame: EventFrame, dialect: Dialect) => string;
}

const withFields = (fields: Record<string, unknown>): Form["spoil"] => {
  return (frame) => JSON.stringify({ ...frame, ...fields });
};

const refused = (fields: Record<string, unknown>): Form => ({
  stored: false,
  spoil: withFields(fields),
});

const worded = (stored: boolean, words: (dialect: Dialect) => Words): Form => ({
  stored,
  spoil: (frame, dialect) => JSON.stringify({ ...frame, ...words(dialect) }),
});

/** A payload of lists in lists, written by hand: deeper than a serialiser's own stack likes. */
function nested(depth: number): Form["spoil"] {
  const payload = `{"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  return (frame) =>
    JSON.stringify({ ...frame, payload: 0 }).replace('"payload":0', `"payload":${payload}`);
}

const kib = 1_024;

/**
 * CATALOGUE of odd event frames that still have an epoch and a seq of their own: they take their
 * place in the buffer, and are as odd when they are replayed.
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
export const spoil = (form: FrameForm, frame: EventFrame, dialect: Dialect): string =>
  forms[form].spoil(frame, dialect);
export const isStored = (form: FrameForm | null): boolean => form === null || forms[form].stored;

/** CATALOGUE of frames that are no events at all: they have no seq and are sent once. */
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

/** What a shard says oddly. */
export const shardDialect: Dialect = {
  wrongPayload: { kind: "vendor.sale", payload: { vendor: 7, price: "a lot", items: null } },
  oddId: { kind: "house.removed", payload: { serial: "0xFFFFFFFF", reason: "traded" } },
  unknownKind: { kind: "shard.mystery", payload: { acct: "maple", ip: "203.0.113.9" } },
  chat: (text) => ({
    kind: "chat.message",
    payload: { channel: "General", name: "Ilan", serial: "0x0000A001", text },
  }),
};
