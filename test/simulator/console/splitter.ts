/** The two ways in which versions of the game split a command into arguments. */
export type ArgumentSyntax = "new" | "old";

/** A command as the game parses it. */
export interface ParsedCommand {
  /** The name with its group, such as `global.say`. */
  readonly name: string;
  /** The text after the name. */
  readonly rest: string;
  readonly args: readonly string[];
}

const mostArguments = 16;

/** Parses a message as the game's console does: one message is one command. */
export function readCommand(message: string, splitter: ArgumentSyntax = "new"): ParsedCommand {
  const trimmed = message.trim();
  const space = trimmed.indexOf(" ");
  const word = space < 0 ? trimmed : trimmed.slice(0, space);
  const name = (word.includes(".") ? word : `global.${word}`).toLowerCase();
  const rest = space < 0 ? "" : trimmed.slice(space + 1);
  const split = splitter === "new" ? splitNew : splitOld;
  return { name, rest, args: split(rest).slice(0, mostArguments) };
}

const isWhite = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign);

/** The newer splitter: `\"` is the only escape, and an unclosed quote is an ordinary character. */
function splitNew(text: string): string[] {
  const args: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (isWhite(text[at])) {
      at += 1;
      continue;
    }
    const quote = text[at];
    const end = quote === '"' || quote === "'" ? findClosing(text, at, quote) : -1;
    if (end > at) {
      const inner = text.slice(at + 1, end).replaceAll('\\"', '"');
      args.push(quote === "'" ? `'${inner}'` : inner);
      at = end + 1;
      continue;
    }
    let stop = at;
    while (stop < text.length && !isWhite(text[stop])) stop += 1;
    args.push(text.slice(at, stop));
    at = stop;
  }
  return args;
}

function findClosing(text: string, from: number, quote: string): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === quote && text[at - 1] !== "\\") return at;
  }
  return -1;
}

/** The older splitter matches quoted texts and words. It drops empty quoted texts. */
const splitOld = (text: string): string[] =>
  Array.from(
    text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g),
    ([whole, double, single]) => double ?? single ?? whole,
  ).filter((arg) => arg !== "");

/** Quotes a value as the game does in its answers. */
export const quoteValue = (text: string): string =>
  `"${text.replaceAll('"', '\\"').replace(/\\+$/, "")}"`;
