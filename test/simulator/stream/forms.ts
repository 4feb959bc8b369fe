/** The frame of an event, before it is spoiled. */
export type EventFrame = Readonly<Record<string, unknown>>;

interface Form {
  /** Whether a client that follows the protocol stores the event all the same. */
  readonly stored: boolean;
  readonly spoil: (frame: EventFrame) => string;
}

const withFields = (fields: Record<string, unknown>): Form["spoil"] => {
  return (frame) => JSON.stringify({ ...frame, ...fields });
};

const refused = (fields: Record<string, unknown>): Form => ({
  stored: false,
  spoil: withFields(fields),
});

/** A payload of lists in lists, written by hand: deeper than a serialiser's own stack likes. */
function nested(depth: number): Form["spoil"] {
  const payload = `{"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  return (frame) =>
    JSON.stringify({ ...frame, payload: 0 }).replace('"payload":0', `"payload":${payload}`);
}

const kib = 1_024;
const sale = { kind: "vendor.sale" };

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
  wrongPayload: refused({ ...sale, payload: { vendor: 7, price: "a lot", items: null } }),
  oddSerial: refused({
    kind: "house.removed",
    payload: { serial: "0xFFFFFFFF", reason: "traded" },
  }),
  deep: { stored: false, spoil: nested(40) },
  veryDeep: { stored: false, spoil: nested(20_000) },
  oversized: refused({ payload: { padding: "x".repeat(300 * kib) } }),
  huge: refused({ payload: { padding: "x".repeat(1_200 * kib) } }),
  unknownKind: {
    stored: true,
    spoil: withFields({ kind: "shard.mystery", payload: { acct: "maple", ip: "203.0.113.9" } }),
  },
  nul: { stored: true, spoil: withFields(chat("before\u0000after")) },
  surrogate: { stored: true, spoil: withFields(chat("before\uD800after")) },
  extraFields: { stored: true, spoil: withFields({ colour: "red" }) },
} satisfies Record<string, Form>;

export type FrameForm = keyof typeof forms;

export const isFrameForm = (name: string): name is FrameForm => Object.hasOwn(forms, name);
export const frameForms = Object.keys(forms) as FrameForm[];
export const spoil = (form: FrameForm, frame: EventFrame): string => forms[form].spoil(frame);
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

function chat(text: string): Record<string, unknown> {
  const payload = { channel: "General", name: "Ilan", serial: "0x0000A001", text };
  return { kind: "chat.message", payload };
}
