import {
  createScanner,
  type JSONVisitor,
  type ParseErrorCode,
  type ParseOptions,
  printParseErrorCode,
  visit,
} from "jsonc-parser";

/** A fault in JSON. Lines and columns count from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Maximum depth of the plugins' JSON reader. */
const maxDepth = 64;

const parseOptions: ParseOptions = { allowTrailingComma: true };

/** Returns the first fault. Accepts comments, trailing commas, NaN and infinity, as plugins do. */
export function findJsonFault(text: string): JsonFault | undefined {
  return visitConfig(text, {});
}

/** Passes the parts of a text to the visitor, up to the first fault, and returns the fault. */
export function visitConfig(text: string, visitor: JSONVisitor): JsonFault | undefined {
  const half = loneSurrogate(text);
  if (half !== undefined) return faultAt(text, half, "contains half of a Unicode character");
  const read = makeParseable(text);
  if (typeof read !== "string") return faultAt(text, read.tooDeepAt, "is nested too deep");
  const found = new FirstFaultError();
  try {
    visit(read, { ...visitor, onError: found.stop }, parseOptions);
    return undefined;
  } catch (error) {
    if (error !== found) throw error;
    return found.fault;
  }
}

type OnError = Parameters<NonNullable<JSONVisitor["onError"]>>;

/** Stops at the first fault, because a large text may have very many. */
class FirstFaultError extends Error {
  fault: JsonFault = { line: 1, column: 1, message: "" };

  readonly stop = (...[code, , , line, character]: OnError): never => {
    this.fault = { line: line + 1, column: character + 1, message: describeParseError(code) };
    throw this;
  };
}

/** Converts a name such as `PropertyNameExpected` to `property name expected`. */
const describeParseError = (code: ParseErrorCode): string =>
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

// The parser declares these tokens in a const enum, which does not exist at run time.
const openingTokens = new Set([1, 3]);
const closingTokens = new Set([2, 4]);
const unknownToken = 16;

/** Replaces NaN, infinity and a byte order mark, which the parser refuses, by text of equal length. */
function makeParseable(text: string): string | { readonly tooDeepAt: number } {
  const scanner = createScanner(text, true);
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  for (let token: number = scanner.scan(); token !== endOfTextToken; token = scanner.scan()) {
    const at = scanner.getTokenOffset();
    if (openingTokens.has(token)) depth += 1;
    if (closingTokens.has(token)) depth -= 1;
    if (depth > maxDepth) return { tooDeepAt: at };
    const stands = token === unknownToken ? replacementAt(text, at) : undefined;
    if (stands === undefined || at < copied) continue;
    parts.push(text.slice(copied, at), stands);
    copied = at + stands.length;
  }
  return parts.join("") + text.slice(copied);
}

const endOfTextToken = 17;

/** Returns the replacement for a token that JSON does not allow. */
function replacementAt(text: string, at: number): string | undefined {
  if (at === 0 && text.startsWith("\uFEFF")) return " ";
  notANumber.lastIndex = at;
  const [word] = notANumber.exec(text) ?? [];
  return word === undefined ? undefined : "1".repeat(word.length);
}

const notANumber = /(?<![\w.$+-])(?:NaN|-?Infinity)(?![\w.$+-])/y;
