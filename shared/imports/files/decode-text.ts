import { TextDecoder } from "node:util";

import { SourceFault } from "../results/source-fault.ts";

export interface Encoding {
  /** A label of `TextDecoder`, or an encoding name from the file that `TextDecoder` may not know. */
  readonly label: string;
  /** How the encoding is known, such as "its byte order mark says UTF-16LE". Error messages begin with this. */
  readonly told: string;
}

/** CATALOGUE of byte order marks, longest first. */
const marks = [
  { mark: [0xff, 0xfe, 0, 0], label: "UTF-32LE" },
  { mark: [0, 0, 0xfe, 0xff], label: "UTF-32BE" },
  { mark: [0xef, 0xbb, 0xbf], label: "UTF-8" },
  { mark: [0xff, 0xfe], label: "UTF-16LE" },
  { mark: [0xfe, 0xff], label: "UTF-16BE" },
] as const;

/** Returns the encoding of a file's byte order mark. The mark overrides the encoding that the file declares. */
export function readByteOrderMark(start: Buffer): Encoding | undefined {
  const found = marks.find(({ mark }) => mark.every((byte, at) => start[at] === byte));
  return found && { label: found.label, told: `it has the byte order mark of ${found.label}` };
}

/**
 * CATALOGUE of the supported encodings by their `TextDecoder` names. `TextDecoder` reads ISO-8859-1 as
 * windows-1252.
 */
const supportedEncodings: ReadonlySet<string> = new Set([
  "utf-8",
  "windows-1252",
  "utf-16le",
  "utf-16be",
]);

/** Decodes a text file that is read in chunks, and removes its byte order mark. */
export class TextFileDecoder {
  readonly #file: string;
  readonly #told: string;
  readonly #decoder: TextDecoder;

  /** @throws {SourceFault} MALFORMED if the encoding is not supported */
  constructor(file: string, { label, told }: Encoding) {
    const decoder = makeDecoder(label);
    if (!decoder || !supportedEncodings.has(decoder.encoding)) {
      const takes = "the site reads UTF-8, UTF-16, windows-1252 and ISO-8859-1";
      throw new SourceFault("MALFORMED", `${file}: ${told}; ${takes}`);
    }
    this.#file = file;
    this.#told = told;
    this.#decoder = decoder;
  }

  /** @throws {SourceFault} MALFORMED if bytes are invalid in the encoding */
  write(piece: Buffer): string {
    return this.#decode(() => this.#decoder.decode(piece, { stream: true }));
  }

  /** @returns the remaining text. @throws {SourceFault} MALFORMED if the file ends within a character */
  end(): string {
    return this.#decode(() => this.#decoder.decode());
  }

  #decode(work: () => string): string {
    try {
      return work();
    } catch {
      const reason = `${this.#told}, and some of its bytes are invalid in this encoding`;
      throw new SourceFault("MALFORMED", `${this.#file}: ${reason}`);
    }
  }
}

function makeDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return undefined;
  }
}

const plainUtf8: Encoding = {
  label: "UTF-8",
  told: "it has no byte order mark, so it must be UTF-8",
};

/** Decodes UTF-8, or UTF-16 with a byte order mark. @throws {SourceFault} MALFORMED */
export const decodeUnicode = (file: string, bytes: Buffer): string =>
  decodeAs(readByteOrderMark(bytes) ?? plainUtf8, file, bytes);

/**
 * Decodes a file by its byte order mark, else as UTF-8, else as windows-1252, which old tools wrote.
 * @throws {SourceFault} MALFORMED if bytes are invalid in the encoding of the byte order mark
 */
export function decodeWithFallback(file: string, bytes: Buffer): string {
  const marked = readByteOrderMark(bytes);
  if (marked) return decodeAs(marked, file, bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function decodeAs(encoding: Encoding, file: string, bytes: Buffer): string {
  const decoder = new TextFileDecoder(file, encoding);
  return decoder.write(bytes) + decoder.end();
}
