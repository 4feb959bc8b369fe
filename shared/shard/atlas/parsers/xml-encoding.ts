import { type Encoding, readMark, TextFileDecoder } from "../../../imports/files/decode-text.ts";

/** Bytes of a file that its XML declaration lies in. */
const declarationBytes = 1_024;

const declaration = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,39})["']/;

/**
 * The encoding of an XML file: by its byte order mark, by how UTF-16 writes the first `<`, by its
 * declaration, or else UTF-8, as XML has it.
 * @param start the first `declarationBytes`, or the whole of a shorter file
 */
export function readXmlEncoding(start: Buffer): Encoding {
  const found = readMark(start) ?? readWidth(start);
  if (found) return found;
  const declared = declaration.exec(start.toString("latin1", 0, declarationBytes))?.[1];
  if (declared === undefined) {
    return { label: "UTF-8", told: "it declares no encoding, so that it must be UTF-8" };
  }
  const told = `it declares the encoding ${declared}`;
  // Programs of .NET declare the UTF-16 of their memory in files of UTF-8: the declaration could not be
  // read here if the file were UTF-16.
  return { label: /^utf-?16/i.test(declared) ? "UTF-8" : declared, told };
}

/** UTF-16 without a mark. In no other encoding that is read does a file begin with a NUL beside `<`. */
function readWidth(start: Buffer): Encoding | undefined {
  const [first, second] = start;
  const label =
    first === 0x3c && second === 0
      ? "UTF-16LE"
      : first === 0 && second === 0x3c
        ? "UTF-16BE"
        : null;
  return label === null ? undefined : { label, told: `it begins as ${label} does` };
}

/** Decodes the pieces of an XML file. Pieces may be of any length. @throws {SourceFault} MALFORMED */
export class XmlDecoder {
  readonly #file: string;
  #start = Buffer.alloc(0);
  #decoder: TextFileDecoder | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  write(piece: Buffer): string {
    if (this.#decoder) return this.#decoder.write(piece);
    this.#start = Buffer.concat([this.#start, piece]);
    return this.#start.length < declarationBytes ? "" : this.#begin().text;
  }

  end(): string {
    const { decoder, text } = this.#begin();
    return text + decoder.end();
  }

  #begin(): { readonly decoder: TextFileDecoder; readonly text: string } {
    if (this.#decoder) return { decoder: this.#decoder, text: "" };
    this.#decoder = new TextFileDecoder(this.#file, readXmlEncoding(this.#start));
    return { decoder: this.#decoder, text: this.#decoder.write(this.#start) };
  }
}
