import { SaxesParser } from "saxes";

import {
  type Encoding,
  readByteOrderMark,
  TextFileDecoder,
} from "../../../imports/files/decode-text.ts";
import { SourceFault } from "../../../imports/results/source-fault.ts";
import type { TextParser } from "./sink.ts";

/** Callbacks for the elements of an XML file. Names are in lower case. `path` names the enclosing elements. */
export interface XmlHandlers {
  open?(this: void, name: string, attributes: Attributes, path: readonly string[]): void;
  close?(this: void, name: string, text: string, path: readonly string[]): void;
}

export type Attributes = Readonly<Record<string, string | undefined>>;

const bounds = { depth: 32, textLength: 64 * 1024 } as const;

/** Parses XML without document types; rejects entities other than the five predefined ones. */
export function createXmlParser(file: string, handlers: XmlHandlers): TextParser {
  const parser = new SaxesParser({ position: true, xmlns: false as const });
  const path: string[] = [];
  const texts: string[] = [];
  const refuse = (reason: string): never => {
    throw new SourceFault("MALFORMED", `${file}: ${reason}`);
  };
  parser.on("error", (error) => refuse(error.message));
  parser.on("doctype", () => refuse("it has a document type"));
  parser.on("opentag", ({ name, attributes }) => {
    const key = name.toLowerCase();
    handlers.open?.(key, lowered(attributes), path);
    path.push(key);
    texts.push("");
    if (path.length > bounds.depth) refuse(`it nests deeper than ${bounds.depth}`);
  });
  const addText = (text: string): void => {
    if (texts.length === 0) return;
    const whole = (texts.pop() ?? "") + text;
    if (whole.length > bounds.textLength) refuse("a text is too long");
    texts.push(whole);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const name = path.pop() ?? "";
    handlers.close?.(name, texts.pop() ?? "", path);
  });
  return {
    write: (text) => void parser.write(text),
    end: () => void parser.close(),
  };
}

const none: Attributes = Object.freeze(Object.create(null) as Attributes);

/** Converts the names of attributes to lower case. Elements without attributes share one empty object. */
const lowered = (attributes: Readonly<Record<string, string>>): Attributes => {
  let result: Record<string, string> | undefined;
  for (const name in attributes) {
    result ??= Object.create(null) as Record<string, string>;
    result[name.toLowerCase()] = attributes[name] ?? "";
  }
  return result ?? none;
};

/** Number of bytes in which the XML declaration must be. */
const declarationBytes = 1_024;

const declaration = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,39})["']/;

/**
 * Detects the encoding of an XML file by its byte order mark, by the UTF-16 encoding of the first `<` or by its
 * declaration; the default is UTF-8, as XML requires.
 * @param start the first `declarationBytes`, or the whole of a shorter file
 */
export function readXmlEncoding(start: Buffer): Encoding {
  const found = readByteOrderMark(start) ?? readWidth(start);
  if (found) return found;
  const declared = declaration.exec(start.toString("latin1", 0, declarationBytes))?.[1];
  if (declared === undefined) {
    return { label: "UTF-8", told: "it declares no encoding, so it must be UTF-8" };
  }
  const told = `it declares the encoding ${declared}`;
  // .NET programs declare UTF-16 in UTF-8 files. In real UTF-16, the pattern finds no declaration.
  return { label: /^utf-?16/i.test(declared) ? "UTF-8" : declared, told };
}

/** Detects UTF-16 without a byte order mark: only UTF-16 writes a NUL next to the first `<`. */
function readWidth(start: Buffer): Encoding | undefined {
  const [first, second] = start;
  const label =
    first === 0x3c && second === 0
      ? "UTF-16LE"
      : first === 0 && second === 0x3c
        ? "UTF-16BE"
        : null;
  return label === null ? undefined : { label, told: `its first bytes are ${label}` };
}

/** Decodes an XML file that is read in chunks of any length. @throws {SourceFault} MALFORMED */
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
