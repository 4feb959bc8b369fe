import { SecretFinder } from "../../platform/secret-texts/secret-finder.ts";
import { holdsSecret } from "../../platform/secret-texts/secret-forms.ts";
import { namesSecret, secretMask } from "../../platform/secret-texts/secret-names.ts";
import type { JsonFault } from "./config-json.ts";
import {
  type ConfigComment,
  type ConfigPart,
  type ConfigTexts,
  isLeaf,
  isPairedSecret,
  readConfigTexts,
} from "./config-texts.ts";

/**
 * A mask of a key or a comment says which one of the file it stands for: two keys of an object may not
 * be alike, and a comment has no pointer. A value's mask is known by its pointer.
 */
const numberedMask = /\*{8}#(\d+)/;
const keyMask = /^\*{8}#(\d+)$/;
const commentMask = /^(?:\/\/ \*{8}#(\d+)|\/\* \*{8}#(\d+) \*\/)$/;

/** A configuration that was read, with what of it is secret. */
export interface ReadSecrets extends ConfigTexts {
  readonly secrets: ReadonlySet<ConfigPart>;
}

/**
 * Finds what of a configuration is secret:
 * - values below a key that names a secret, at any depth, but for `true`, `false`, `null` and empty texts;
 * - values beside a text that names them as secret: `"name": "Api token", "value": "…"`, `"-token", "…"`;
 * - texts, keys and comments that have a secret's form, and texts that are configurations with secrets;
 * - whatever else holds one of these, such as an address that repeats an API key;
 * - comments that name a secret or stand beside one: they may hold what was there before.
 */
export function readSecrets(text: string): ReadSecrets | { readonly fault: JsonFault } {
  const read = readConfigTexts(text);
  if ("fault" in read) return read;
  const { parts, lengths, doubled } = read;
  const secrets = new Set(parts.filter(isSecretItself));
  const repeats = repeatsIn(secrets);
  for (const part of parts) if (!secrets.has(part) && repeats(part)) secrets.add(part);
  for (const comment of commentsBeside(parts, secrets)) secrets.add(comment);
  return { parts, lengths, doubled, secrets };
}

function isSecretItself(found: ConfigPart): boolean {
  const { part, value, isNamedSecret } = found;
  if (value === "" || part === "word") return false;
  if (part === "key") return isSecretKey(found);
  if (part === "comment") return isSecretComment(found);
  if (isNamedSecret || isPairedSecret(found)) return true;
  return part === "text" && (holdsSecret(value) || isConfigWithSecrets(value));
}

/** A text may be a document of its own, whose quotes are escaped at each level. */
function isConfigWithSecrets(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  const read = readSecrets(text);
  return "secrets" in read && read.secrets.size > 0;
}

const isSecretKey = ({ value, isNamedSecret }: ConfigPart): boolean =>
  numberedMask.test(value) || holdsSecret(value) || (isNamedSecret && isCode(value));

function isSecretComment({ value, isNamedSecret }: ConfigPart): boolean {
  const said = unescaped(value);
  return isNamedSecret || numberedMask.test(value) || namesSecret(said) || holdsSecret(said);
}

/** Letters with digits and no spaces: a table of tokens may have them as its keys, beside plain settings. */
const isCode = (key: string): boolean =>
  /^\S{8,}$/.test(key) && /\d/.test(key) && /\p{L}/u.test(key);

/** A comment may be a line of JSON that was taken out. */
const unescaped = (comment: string): string =>
  comment.replaceAll(/\\u([\da-f]{4})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Characters from which on a secret is looked for elsewhere: shorter ones are words and amounts. */
const shortestRepeated = 6;
/** The same for keys, which are short words themselves. */
const shortestInKeys = 8;

/** Tells of a part whether it holds the value of a secret. */
function repeatsIn(secrets: ReadonlySet<ConfigPart>): (part: ConfigPart) => boolean {
  const values = [...secrets]
    .filter(({ part, value }) => part !== "comment" && value !== secretMask)
    .map(({ value }) => value);
  const inTexts = new SecretFinder(values, shortestRepeated);
  const inKeys = new SecretFinder(values, shortestInKeys);
  return ({ part, value }) => {
    if (part === "word") return false;
    if (part === "key") return inKeys.isIn(value);
    return inTexts.isIn(value) || (part === "comment" && inTexts.isIn(unescaped(value)));
  };
}

/** Comments next to a secret, and those next to such a comment: an entry may be commented out in lines. */
function* commentsBeside(
  parts: readonly ConfigPart[],
  secrets: ReadonlySet<ConfigPart>,
): Generator<ConfigComment> {
  let isBeside = false;
  let run: ConfigComment[] = [];
  for (const part of parts) {
    const isSecret = secrets.has(part) || (part.part === "key" && namesSecret(part.value));
    if (part.part === "key" && !isSecret) continue;
    if (part.part === "comment") {
      isBeside ||= isSecret;
      run.push(part);
      continue;
    }
    if (isBeside || isSecret) yield* run;
    run = [];
    isBeside = isSecret;
  }
  if (isBeside) yield* run;
}

/** Where in a text something is, counted from 1. */
export type TextPlace = Pick<JsonFault, "line" | "column">;

export interface MaskedConfig {
  readonly text: string;
  /** JSON pointers of what is masked. */
  readonly secretsMasked: readonly string[];
}

type Masked = MaskedConfig | { readonly fault: JsonFault } | { readonly doubled: TextPlace };

/**
 * A configuration without its secrets; every other byte stays. What is no JSON, or has a key twice, is
 * not masked but refused: where its secrets are, or whose they are, cannot be told.
 */
export function maskSecrets(text: string): Masked {
  const read = readSecrets(text);
  if ("fault" in read) return read;
  const { doubled, secrets, parts } = read;
  if (doubled) return { doubled: placeIn(text, doubled.offset) };
  const shown = maskedText(text, parts, secrets);
  const masked = readConfigTexts(shown);
  if ("fault" in masked) return masked;
  const pointers = parts.flatMap((part, at) => {
    const there = masked.parts[at];
    return secrets.has(part) && there && there.part !== "comment" ? [there.pointer] : [];
  });
  if (sizeOf(pointers) > mostPointers) return { fault: tooManySecrets };
  return { text: shown, secretsMasked: [...new Set(pointers)] };
}

function placeIn(text: string, offset: number): TextPlace {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** Characters of all pointers together: a long key above many secrets makes much of a small file. */
export const mostPointers = 4_000_000;

export const tooManySecrets: JsonFault = { line: 1, column: 1, message: "holds too many secrets" };

export const sizeOf = (pointers: readonly string[]): number =>
  pointers.reduce((size, { length }) => size + length, 0);

function maskedText(
  text: string,
  parts: readonly ConfigPart[],
  secrets: ReadonlySet<ConfigPart>,
): string {
  const numbered = parts.filter((part) => !isLeaf(part) && secrets.has(part));
  const numbers = new Map(numbered.map((part, at) => [part, at + 1]));
  const covered = parts.filter((part) => secrets.has(part));
  return replaceParts(text, covered, (part) => maskOf(part, numbers.get(part) ?? 0));
}

function maskOf({ part, value }: ConfigPart, number: number): string {
  const numbered = `${secretMask}#${number}`;
  if (part === "comment") return value.startsWith("//") ? `// ${numbered}` : `/* ${numbered} */`;
  return JSON.stringify(part === "key" ? numbered : secretMask);
}

/** The mask that a part is; undefined where it is none. A value's mask has no number. */
export function maskIn({ part, value }: ConfigPart): { readonly number?: number } | undefined {
  if (part === "text") return value === secretMask ? {} : undefined;
  const found = { key: keyMask, comment: commentMask, number: null, word: null }[part]?.exec(value);
  return found ? { number: Number(found[1] ?? found[2]) } : undefined;
}

/** @param parts in the order in which they stand in the text */
export function replaceParts(
  text: string,
  parts: readonly ConfigPart[],
  write: (part: ConfigPart, at: number) => string,
): string {
  const written: string[] = [];
  let copied = 0;
  for (const [at, part] of parts.entries()) {
    written.push(text.slice(copied, part.offset), write(part, at));
    copied = part.offset + part.length;
  }
  return written.join("") + text.slice(copied);
}

/** The secrets of a configuration, for covering them elsewhere; none where it is no JSON. */
export function secretsOf(text: string): string[] {
  const read = readSecrets(text);
  if ("fault" in read) return [];
  return [
    ...new Set(
      [...read.secrets].filter(({ part }) => part !== "comment").map(({ value }) => value),
    ),
  ];
}
