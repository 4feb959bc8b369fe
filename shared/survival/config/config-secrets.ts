import { SecretFinder } from "../../platform/secret-texts/secret-finder.ts";
import { containsSecret } from "../../platform/secret-texts/secret-forms.ts";
import { isSecretName, secretMask } from "../../platform/secret-texts/secret-names.ts";
import type { JsonFault } from "./config-json.ts";
import {
  type ConfigComment,
  type ConfigPart,
  type ConfigParts,
  isLeaf,
  isPairedSecret,
  readConfigParts,
} from "./config-parts.ts";

/** Masks of keys and comments are numbered, because keys must differ and comments have no pointer. */
const numberedMask = /\*{8}#(\d+)/;
const keyMask = /^\*{8}#(\d+)$/;
const commentMask = /^(?:\/\/ \*{8}#(\d+)|\/\* \*{8}#(\d+) \*\/)$/;

/** A configuration with its secret parts. */
export interface ConfigSecrets extends ConfigParts {
  readonly secrets: ReadonlySet<ConfigPart>;
}

/**
 * Finds the secrets of a configuration:
 * - values below a key that names a secret, at any depth, except `true`, `false`, `null` and empty
 * texts;
 * - values next to a text that names a secret: `"name": "Api token", "value": "…"`, `"-token", "…"`;
 * - texts, keys and comments in the form of a secret, and texts that are configurations with secrets;
 * - anything that contains one of these, such as an address with an API key;
 * - comments that name a secret or are next to one: they may contain a former value.
 */
export function readSecrets(text: string): ConfigSecrets | { readonly fault: JsonFault } {
  const read = readConfigParts(text);
  if ("fault" in read) return read;
  const { parts, lengths, doubled } = read;
  const secrets = new Set(parts.filter(isSecretItself));
  const repeats = secretRepeatCheck(secrets);
  for (const part of parts) if (!secrets.has(part) && repeats(part)) secrets.add(part);
  for (const comment of findCommentsNearSecrets(parts, secrets)) secrets.add(comment);
  return { parts, lengths, doubled, secrets };
}

function isSecretItself(found: ConfigPart): boolean {
  const { part, value, isNamedSecret } = found;
  if (value === "" || part === "word") return false;
  if (part === "key") return isSecretKey(found);
  if (part === "comment") return isSecretComment(found);
  if (isNamedSecret || isPairedSecret(found)) return true;
  return part === "text" && (containsSecret(value) || isConfigWithSecrets(value));
}

/** True if a text is itself a configuration with secrets, with quotes escaped at each level. */
function isConfigWithSecrets(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  const read = readSecrets(text);
  return "secrets" in read && read.secrets.size > 0;
}

const isSecretKey = ({ value, isNamedSecret }: ConfigPart): boolean =>
  numberedMask.test(value) || containsSecret(value) || (isNamedSecret && isCode(value));

function isSecretComment({ value, isNamedSecret }: ConfigPart): boolean {
  const said = unescape(value);
  return isNamedSecret || numberedMask.test(value) || isSecretName(said) || containsSecret(said);
}

/** True for a key of letters and digits without spaces, which may be a token. */
const isCode = (key: string): boolean =>
  /^\S{8,}$/.test(key) && /\d/.test(key) && /\p{L}/u.test(key);

/** Decodes JSON escapes, because a comment may be a disabled line of JSON. */
const unescape = (comment: string): string =>
  comment.replaceAll(/\\u([\da-f]{4})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Minimum length of a secret to search for in other parts; shorter ones match words and numbers. */
const minRepeatedLength = 6;
/** Minimum length of a secret to search for in keys, which are short words. */
const minLengthInKeys = 8;

/** Returns a function that checks if a part contains the value of a secret. */
function secretRepeatCheck(secrets: ReadonlySet<ConfigPart>): (part: ConfigPart) => boolean {
  const values = [...secrets]
    .filter(({ part, value }) => part !== "comment" && value !== secretMask)
    .map(({ value }) => value);
  const inTexts = new SecretFinder(values, minRepeatedLength);
  const inKeys = new SecretFinder(values, minLengthInKeys);
  return ({ part, value }) => {
    if (part === "word") return false;
    if (part === "key") return inKeys.isIn(value);
    return inTexts.isIn(value) || (part === "comment" && inTexts.isIn(unescape(value)));
  };
}

/**
 * Yields the comments next to a secret, and further comments next to these, because a disabled entry may have
 * several lines.
 */
function* findCommentsNearSecrets(
  parts: readonly ConfigPart[],
  secrets: ReadonlySet<ConfigPart>,
): Generator<ConfigComment> {
  let isBeside = false;
  let run: ConfigComment[] = [];
  for (const part of parts) {
    const isSecret = secrets.has(part) || (part.part === "key" && isSecretName(part.value));
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

/** A position in a text, counted from 1. */
export type TextPosition = Pick<JsonFault, "line" | "column">;

export interface MaskedConfig {
  readonly text: string;
  /** JSON pointers of the masked values. */
  readonly secretsMasked: readonly string[];
}

type MaskResult = MaskedConfig | { readonly fault: JsonFault } | { readonly doubled: TextPosition };

/** Masks the secrets and keeps all other bytes. Refuses invalid JSON and duplicate keys. */
export function maskSecrets(text: string): MaskResult {
  const read = readSecrets(text);
  if ("fault" in read) return read;
  const { doubled, secrets, parts } = read;
  if (doubled) return { doubled: placeIn(text, doubled.offset) };
  const shown = maskedText(text, parts, secrets);
  const masked = readConfigParts(shown);
  if ("fault" in masked) return masked;
  const pointers = parts.flatMap((part, at) => {
    const there = masked.parts[at];
    return secrets.has(part) && there && there.part !== "comment" ? [there.pointer] : [];
  });
  if (sumPointerLengths(pointers) > maxPointerLength) return { fault: tooManySecretsFault };
  return { text: shown, secretsMasked: [...new Set(pointers)] };
}

function placeIn(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** Maximum total length of all pointers, because each secret repeats the long keys above it. */
export const maxPointerLength = 4_000_000;

export const tooManySecretsFault: JsonFault = {
  line: 1,
  column: 1,
  message: "holds too many secrets",
};

export const sumPointerLengths = (pointers: readonly string[]): number =>
  pointers.reduce((size, { length }) => size + length, 0);

function maskedText(
  text: string,
  parts: readonly ConfigPart[],
  secrets: ReadonlySet<ConfigPart>,
): string {
  const numbered = parts.filter((part) => !isLeaf(part) && secrets.has(part));
  const numbers = new Map(numbered.map((part, at) => [part, at + 1]));
  const covered = parts.filter((part) => secrets.has(part));
  return replaceConfigParts(text, covered, (part) => maskOf(part, numbers.get(part) ?? 0));
}

function maskOf({ part, value }: ConfigPart, number: number): string {
  const numbered = `${secretMask}#${number}`;
  if (part === "comment") return value.startsWith("//") ? `// ${numbered}` : `/* ${numbered} */`;
  return JSON.stringify(part === "key" ? numbered : secretMask);
}

/** Returns the number of a mask, or undefined for other parts. Masks of values have no number. */
export function parseSecretMask({
  part,
  value,
}: ConfigPart): { readonly number?: number } | undefined {
  if (part === "text") return value === secretMask ? {} : undefined;
  const found = { key: keyMask, comment: commentMask, number: null, word: null }[part]?.exec(value);
  return found ? { number: Number(found[1] ?? found[2]) } : undefined;
}

/** Replaces parts of a text. @param parts in the order of the text */
export function replaceConfigParts(
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

/** Returns the secrets of a configuration, to mask them in other texts; none for invalid JSON. */
export function listSecretTexts(text: string): string[] {
  const read = readSecrets(text);
  if ("fault" in read) return [];
  return [
    ...new Set(
      [...read.secrets].filter(({ part }) => part !== "comment").map(({ value }) => value),
    ),
  ];
}
