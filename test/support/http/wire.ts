/** Splits the bytes of one side of a PostgreSQL connection into messages. */
export class Frames {
  #bytes: Buffer = Buffer.alloc(0);

  add(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
  }

  /** Takes a client's first message, which has no type. @returns undefined if it is incomplete */
  takeStartup(): Buffer | undefined {
    if (this.#bytes.length < 4) return undefined;
    const length = this.#bytes.readInt32BE(0);
    if (this.#bytes.length < length) return undefined;
    return this.#cut(length);
  }

  /** Removes the complete messages from the buffer. @returns them */
  take(): Buffer[] {
    const whole: Buffer[] = [];
    while (this.#bytes.length >= 5) {
      const length = this.#bytes.readInt32BE(1) + 1;
      if (this.#bytes.length < length) break;
      whole.push(this.#cut(length));
    }
    return whole;
  }

  #cut(length: number): Buffer {
    const cut = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return cut;
  }
}

export interface Message {
  readonly type: string;
  /** The name of the prepared statement. */
  readonly name?: string;
  /** The SQL text. */
  readonly text?: string;
  /** The status in a ReadyForQuery message. `I` means outside a transaction. */
  readonly status?: string;
  /** The key in a BackendKeyData message. */
  readonly key?: Key;
}

/** The id of a server process, and the secret with which a client may cancel its statement. */
export interface Key {
  readonly processId: number;
  readonly secret: number;
}

export function messageOf(frame: Buffer): Message {
  const type = String.fromCharCode(frame[0] ?? 0);
  if (type === "Z") return { type, status: String.fromCharCode(frame[5] ?? 0) };
  if (type === "Q") return { type, text: frame.toString("utf8", 5, frame.length - 1) };
  if (type === "K") return { type, key: readKey(frame, 5) };
  if (type !== "P") return { type };
  const [name = "", text = ""] = frame.toString("utf8", 5).split("\0");
  return { type, name, text };
}

const readKey = (bytes: Buffer, at: number): Key => ({
  processId: bytes.readInt32BE(at),
  secret: bytes.readInt32BE(at + 4),
});

function writeKey({ processId, secret }: Key): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32BE(processId, 0);
  bytes.writeInt32BE(secret, 4);
  return bytes;
}

/** Builds a BackendKeyData message, which tells a client its cancel key. */
export const keyMessage = (key: Key): Buffer =>
  Buffer.concat([Buffer.from("K\0\0\0\x0c"), writeKey(key)]);

/**
 * The numbers with which a startup message begins: the version of the protocol, or the code of a
 * cancel request.
 */
const [protocol, cancelCode] = [196_608, 80_877_102];

/** Reads a startup message. @returns the key of a cancel request, or undefined for any other */
export const readCancelRequest = (startup: Buffer): Key | undefined =>
  startup.readInt32BE(4) === cancelCode ? readKey(startup, 8) : undefined;

export function buildCancelRequest(key: Key): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(16, 0);
  head.writeInt32BE(cancelCode, 4);
  return Buffer.concat([head, writeKey(key)]);
}

/** Reads the startup message of a client. @returns its parameters */
export function readStartup(startup: Buffer): Record<string, string> {
  const words = startup.toString("utf8", 8).split("\0");
  const given: Record<string, string> = {};
  for (let at = 0; words[at]; at += 2) given[words[at] ?? ""] = words[at + 1] ?? "";
  return given;
}

export function writeStartup(given: Readonly<Record<string, string>>): Buffer {
  const words = Object.entries(given).flat();
  const text = Buffer.from(`${words.join("\0")}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(text.length + 8, 0);
  head.writeInt32BE(protocol, 4);
  return Buffer.concat([head, text]);
}

/** Builds the error message that refuses a new connection. */
export function buildRefusalMessage(message: string, code = "08P01"): Buffer {
  const text = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}
