import { AppError } from "../../platform/errors/errors.ts";

/** Maximum size of a form. A feedback's form contains a screenshot of several megabytes. */
export const maxFormBytes = 8 * 1024 * 1024;

/** The field of the form that contains the report. */
const dataField = "data";

/** Maximum characters of a field name that are kept. The game's field names are shorter. */
const maxNameLength = 64;

const ampersand = 0x26;
const equalsSign = 0x3d;
const plus = 0x2b;
const percent = 0x25;
const space = 0x20;

/**
 * Reads the report from the game's form, which is URL-encoded, as the form arrives. Long texts are shortened
 * and all other fields are dropped at once, so a form never uses more than about 300 KiB of memory.
 * @returns the JSON text of the field `data`; undefined if the form has no such field
 * @throws AppError body_too_large, malformed_body
 */
export async function readReportForm(
  chunks: AsyncIterable<Uint8Array>,
): Promise<string | undefined> {
  const form = new ReportFormReader();
  let bytes = 0;
  for await (const chunk of whileSent(chunks)) {
    bytes += chunk.length;
    if (bytes > maxFormBytes) throw formTooLargeError();
    form.write(chunk);
  }
  return form.end();
}

/** Yields the chunks of an upload. @throws AppError malformed_body if the client disconnects early */
async function* whileSent(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code !== "ECONNRESET" && code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    throw new AppError("malformed_body", "Request aborted", { cause: error });
  }
}

const formTooLargeError = (): AppError =>
  new AppError("body_too_large", `A report has at most ${maxFormBytes / 1024 / 1024} MiB`);

const malformedError = (): AppError => new AppError("malformed_body", "Invalid form");

/** The part of a form to which the next byte belongs. `other`: the value of a field that is not needed. */
type FormPart = "name" | "data" | "other";

class ReportFormReader {
  #part: FormPart = "name";
  #name = "";
  #data: JsonShortener | undefined;
  /** Hexadecimal digits of an unfinished escape; undefined outside an escape. */
  #escape: string | undefined;

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += 1) {
      at = this.#skip(chunk, at);
      const byte = chunk[at];
      if (byte !== undefined) this.#take(byte);
    }
  }

  end(): string | undefined {
    this.#endField();
    return this.#data?.end();
  }

  /** Returns the position of the next byte that `#take` must read. */
  #skip(chunk: Uint8Array, from: number): number {
    if (this.#part === "other") {
      const end = chunk.indexOf(ampersand, from);
      return end === -1 ? chunk.length : end;
    }
    const isSkipping = this.#part === "data" && this.#escape === undefined;
    return isSkipping ? (this.#data?.skip(chunk, from) ?? from) : from;
  }

  #take(byte: number): void {
    if (byte === ampersand) this.#endField();
    else if (this.#part === "name" && byte === equalsSign) this.#beginValue();
    else this.#decode(byte);
  }

  #endField(): void {
    if (this.#escape !== undefined) throw malformedError();
    this.#part = "name";
    this.#name = "";
  }

  #beginValue(): void {
    if (this.#escape !== undefined) throw malformedError();
    const isFirst = this.#name === dataField && this.#data === undefined;
    this.#part = isFirst ? "data" : "other";
    if (isFirst) this.#data = new JsonShortener();
  }

  #decode(byte: number): void {
    if (this.#escape === undefined) {
      if (byte === percent) this.#escape = "";
      else this.#pass(byte === plus ? space : byte);
      return;
    }
    const digits = this.#escape + String.fromCharCode(byte);
    this.#escape = digits.length < 2 ? digits : undefined;
    if (digits.length < 2) return;
    if (!/^[\da-f]{2}$/i.test(digits)) throw malformedError();
    this.#pass(Number.parseInt(digits, 16));
  }

  #pass(byte: number): void {
    if (this.#part === "data") this.#data?.take(byte);
    else if (this.#name.length < maxNameLength) this.#name += String.fromCharCode(byte);
    else this.#part = "other";
  }
}

/**
 * Maximum bytes of each text that are kept. The longest stored field has 4,096 characters, which take 24 KiB
 * if all are escaped.
 */
const keptTextBytes = 32 * 1024;

/** Maximum bytes of a report after its texts are shortened. The game's reports have about 2 KiB. */
const maxBytes = 256 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

/** Bytes at which `skip` stops: the quote, and the bytes that begin an escape or the form's next field. */
const isNotable = new Uint8Array(256);
for (const sign of ['"', "\\", "%", "&"]) isNotable[sign.charCodeAt(0)] = 1;

/** Copies a JSON text byte by byte and shortens its long texts. Invalid JSON stays invalid. */
class JsonShortener {
  #kept = Buffer.alloc(4 * 1024);
  #length = 0;
  #isText = false;
  /** Number of bytes of the current text. */
  #textBytes = 0;
  /** Number of bytes until the end of the current escape; 0 outside an escape, -1 after a backslash. */
  #escape = 0;
  #isShortened = false;

  take(byte: number): void {
    if (this.#isText) {
      this.#takeInText(byte);
      return;
    }
    if (byte === quote) this.#beginText();
    this.#keep(byte);
  }

  /** Returns the position after the plain characters of a text that is already shortened. */
  skip(chunk: Uint8Array, from: number): number {
    if (!this.#isShortened || this.#escape !== 0) return from;
    let at = from;
    while (at < chunk.length && isNotable[chunk[at] ?? 0] === 0) at += 1;
    return at;
  }

  end(): string {
    return this.#kept.toString("utf8", 0, this.#length);
  }

  #beginText(): void {
    this.#isText = true;
    this.#isShortened = false;
    this.#textBytes = 0;
    this.#escape = 0;
  }

  #takeInText(byte: number): void {
    // End or cut a text only between two characters: not inside an escape or a UTF-8 sequence.
    const isBoundary = this.#escape === 0 && (byte & 0xc0) !== 0x80;
    if (isBoundary && byte === quote) {
      this.#isText = false;
      this.#isShortened = false;
      this.#keep(byte);
      return;
    }
    if (isBoundary && this.#textBytes >= keptTextBytes) this.#isShortened = true;
    this.#escape = remainingEscape(this.#escape, byte);
    this.#textBytes += 1;
    if (!this.#isShortened) this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#length === maxBytes) {
      throw new AppError("body_too_large", "The report contains too many fields");
    }
    if (this.#length === this.#kept.length) {
      this.#kept = Buffer.concat([this.#kept], this.#kept.length * 2);
    }
    this.#kept[this.#length] = byte;
    this.#length += 1;
  }
}

/** Returns the bytes until the end of the escape. After the backslash, `\n` has one byte, `\u00e4` five. */
function remainingEscape(before: number, byte: number): number {
  if (before === -1) return byte === letterU ? 4 : 0;
  if (before > 0) return before - 1;
  return byte === backslash ? -1 : 0;
}
