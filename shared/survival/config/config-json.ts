import {
  createScanner,
  type JSONVisitor,
  type ParseErrorCode,
  type ParseOptions,
  printParseErrorCode,
  visit,
} from "jsonc-parser";

/** Where a text is no JSON, and why. Lines and columns are counted from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The plugins' own reader goes no deeper. */
const deepest = 64;

const extras: ParseOptions = { allowTrailingComma: true };

/**
 * The first fault of a plugin's configuration. Taken is what the plugins' own reader takes beyond
 * JSON: comments, a comma before a closing bracket, NaN and infinity.
 */
export function jsonFault(text: string): JsonFault | undefined {
  return visitConfig(text, {});
}

/** The same, and calls the visitor up to the first fault. Offsets are those of the text. */
export function visitConfig(text: string, visitor: JSONVisitor): JsonFault | undefined {
  const half = loneSurrogate(text);
  if (half !== undefined) return faultAt(text, half, "holds half a character");
  const read = readable(text);
  if (typeof read !== "string") return faultAt(text, read.tooDeepAt, "nests too deep");
  const found = new FoundFault();
  try {
    visit(read, { ...visitor, onError: found.stop }, extras);
    return undefined;
  } catch (error) {
    if (error !== found) throw error;
    return found.fault;
  }
}

type OnError = Parameters<NonNullable<JSONVisitor["onError"]>>;

/** Ends the visit at the first fault: a large text may consist of faults. */
class FoundFault extends Error {
  fault: JsonFault = { line: 1, column: 1, message: "" };

  readonly stop = (...[code, , , line, character]: OnError): never => {
    this.fault = { line: line + 1, column: character + 1, message: wordsOf(code) };
    throw this;
  };
}

/** `PropertyNameExpected` as `property name expected`. */
const wordsOf = (code: ParseErrorCode): string =>
  printParseErrorCode(code)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();

function loneSurrogate(text: string): number | undefined {
  if (text.isWellFormed()) return undefined;
  const found = text.search(/\p{Cs}/u);
  return found === -1 ? undefined : found;
}

function faultAt(text: string, offset: number, message: string): JsonFault {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1, message };
}

// The parser's own names are of a const enum, which is no value at run time.
const opening = new Set([1, 3]);
const closing = new Set([2, 4]);
const unknown = 16;

/**
 * A text of the same length that the parser reads: numbers in the place of those that JSON has no
 * signs for, a blank in that of a byte order mark.
 */
function readable(text: string): string | { readonly tooDeepAt: number } {
  const scanner = createScanner(text, true);
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    const at = scanner.getTokenOffset();
    if (opening.has(token)) depth += 1;
    if (closing.has(token)) depth -= 1;
    if (depth > deepest) return { tooDeepAt: at };
    const stands = token === unknown ? standIn(text, at) : undefined;
    if (stands === undefined || at < copied) continue;
    parts.push(text.slice(copied, at), stands);
    copied = at + stands.length;
  }
  return parts.join("") + text.slice(copied);
}

const endOfText = 17;

/** What is read in the place of a sign that JSON does not have. */
function standIn(text: string, at: number): string | undefined {
  if (at === 0 && text.startsWith("\uFEFF")) return " ";
  notANumber.lastIndex = at;
  const [word] = notANumber.exec(text) ?? [];
  return word === undefined ? undefined : "1".repeat(word.length);
}

const notANumber = /(?<![\w.$+-])(?:NaN|-?Infinity)(?![\w.$+-])/y;
