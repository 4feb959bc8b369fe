import { SaxesParser } from "saxes";

import { type Encoding, readMark, TextFileDecoder } from "../../../imports/files/decode-text.ts";
import { SourceFault } from "../../../imports/results/source-fault.ts";
import type { TextParser } from "./sink.ts";

/** What an XML file is heard as. Names are in lower case; `path` leads to the element's parent. */
export interface XmlHandlers {
  open?(this: void, name: string, attributes: Attributes, path: readonly string[]): void;
  close?(this: void, name: string, text: string, path: readonly string[]): void;
}

export type Attributes = Readonly<Record<string, string | undefined>>;

const bounds = { depth: 32, textLength: 64 * 1024 } as const;

/** Reads XML without document types: entities beyond the five of XML itself are refused. */
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

/** Most elements have none, and a tree has hundreds of thousands of elements. */
const lowered = (attributes: Readonly<Record<string, string>>): Attributes => {
  let result: Record<string, string> | undefined;
  for (const name in attributes) {
    result ??= Object.create(null) as Record<string, string>;
    result[name.toLowerCase()] = attributes[name] ?? "";
  }
  return result ?? none;
};

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
