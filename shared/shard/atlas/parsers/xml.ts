import { SaxesParser } from "saxes";

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
