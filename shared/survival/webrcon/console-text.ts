// Every command that contains text is built here. The console splits a command at white space, and reads
// text in double quotes as one argument. `say` reads no arguments and shows the rest of its line, with
// quotes.

/** Characters that end a line, and so a command, in some version of the game. */
const lineEnds = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Makes a text of a person or a game safe for a command: one line without quotes and backslashes.
 * Keeps apostrophes, which have no meaning inside double quotes.
 * @param longest maximum length in characters
 * @returns null if nothing is left
 */
export function toConsoleText(text: string, longest: number): string | null {
  const line = text
    .toWellFormed()
    .replaceAll(lineEnds, " ")
    .replaceAll(/["\\]/g, "")
    // A semicolon separates commands in the game's own console and in files.
    .replaceAll(";", ",")
    .trim();
  const cut = Array.from(line).slice(0, longest).join("").trim();
  return cut === "" ? null : cut;
}

/** Quotes a text as one argument. Pass only results of `toConsoleText`. */
const quote = (text: string): string => `"${text}"`;

/** An argument that needs no quotes, such as a Steam id, a duration or a word of the command. */
export interface PlainArgument {
  readonly plain: string;
}

/** Form of an argument that needs no quotes. */
const plainForm = /^[A-Za-z0-9_.*-]+$/;

/** Declares an argument that has no spaces, quotes or other special characters. @throws RangeError */
export function toPlainArgument(word: string): PlainArgument {
  if (!plainForm.test(word)) throw new RangeError("this argument must be quoted");
  return { plain: word };
}

/**
 * Builds a command with arguments. Each text becomes exactly one quoted argument.
 * @returns null if a text has no character that the console can take
 */
export function buildCommand(
  name: string,
  args: readonly (PlainArgument | string)[],
  longest = 256,
): string | null {
  const words: string[] = [];
  for (const arg of args) {
    if (typeof arg !== "string") {
      words.push(arg.plain);
      continue;
    }
    const text = toConsoleText(arg, longest);
    if (text === null) return null;
    words.push(quote(text));
  }
  return [toPlainArgument(name).plain, ...words].join(" ");
}

/** Builds the command that shows a message to all players. @returns null if the text is empty */
export function buildSayCommand(message: string, longest = 512): string | null {
  const text = toConsoleText(message, longest);
  return text === null ? null : `say ${text}`;
}
