import type { JsonFault } from "./config-json.ts";
import {
  type ConfigContainer,
  type ConfigText,
  type ConfigTexts,
  readConfigTexts,
} from "./config-texts.ts";

/** What stands in the place of a secret. */
export const secretMask = "********";

const secretKey = /(key|token|secret|pass(word)?|webhook|connection ?string)$|webhook/i;

type Found<T> = T | { readonly fault: JsonFault };

export interface MaskedConfig {
  readonly text: string;
  /** JSON pointers of what is masked. */
  readonly secretsMasked: readonly string[];
}

/**
 * A configuration without its secrets, which are texts whose key says so; every other byte stays.
 * What is no JSON is not masked but refused: where its secrets are cannot be told.
 */
export function maskSecrets(text: string): Found<MaskedConfig> {
  const read = readConfigTexts(text);
  if ("fault" in read) return read;
  const secrets = read.texts.filter(isSecret);
  if (sizeOf(secrets) > mostPointers) return { fault: tooManySecrets };
  const masked = JSON.stringify(secretMask);
  return {
    text: replaceTexts(text, secrets, () => masked),
    secretsMasked: [...new Set(secrets.map(({ pointer }) => pointer))],
  };
}

/** Characters of all pointers together: a long key above many secrets makes much of a small file. */
const mostPointers = 4_000_000;

const tooManySecrets: JsonFault = { line: 1, column: 1, message: "holds too many secrets" };

const sizeOf = (secrets: readonly ConfigText[]): number =>
  secrets.reduce((size, { pointer }) => size + pointer.length, 0);

/** The secrets of a configuration, for covering them elsewhere; none where it is no JSON. */
export function secretsOf(text: string): string[] {
  const read = readConfigTexts(text);
  if ("fault" in read) return [];
  return [...new Set(read.texts.filter(isSecret).map(({ value }) => value))];
}

export interface RestoredConfig {
  readonly text: string;
  /** JSON pointers of masks for which nothing is known; with one of them nothing may be written. */
  readonly unresolved: readonly string[];
}

/**
 * A configuration that was sent back, with each mask replaced by the secret that stands at its place
 * in the original. A mask in a list that has become shorter stands for nothing: which of the entries
 * it was cannot be told.
 */
export function restoreSecrets(sent: string, original: string): Found<RestoredConfig> {
  const read = readConfigTexts(sent);
  if ("fault" in read) return read;
  const masks = read.texts.filter(({ value }) => value === secretMask);
  if (masks.length === 0) return { text: sent, unresolved: [] };
  if (sizeOf(masks) > mostPointers) return { fault: tooManySecrets };
  const known = knownTexts(original, read);
  const restored = masks.map(({ pointer }) => known.get(pointer)?.next().value);
  return {
    text: replaceTexts(sent, masks, (at) => restored[at] ?? ""),
    unresolved: masks
      .filter((_mask, at) => restored[at] === undefined)
      .map(({ pointer }) => pointer),
  };
}

/** What masks stand for, as it is written, by pointer: several where a key is written twice. */
function knownTexts(original: string, sent: ConfigTexts): Map<string, Iterator<string>> {
  const read = readConfigTexts(original);
  if ("fault" in read) return new Map();
  const hasLost = (list: string): boolean =>
    (sent.lengths.get(list) ?? 0) < (read.lengths.get(list) ?? 0);
  const movable = new Map<ConfigContainer | undefined, boolean>([[undefined, false]]);
  const isMovable = (container: ConfigContainer | undefined): boolean => {
    const known = movable.get(container);
    if (known !== undefined || !container) return known === true;
    const found = (container.isList && hasLost(container.pointer)) || isMovable(container.parent);
    movable.set(container, found);
    return found;
  };
  const maskable = read.texts.filter(
    (found) => (isSecret(found) || found.value === secretMask) && !isMovable(found.container),
  );
  const written = Map.groupBy(maskable, ({ pointer }) => pointer);
  return new Map(
    [...written].map(([pointer, texts]) => [
      pointer,
      texts.map(({ offset, length }) => original.slice(offset, offset + length)).values(),
    ]),
  );
}

/** Of a text in a list, the list's key says what it is. An empty text hides nothing. */
const isSecret = ({ value, key }: ConfigText): boolean =>
  value !== "" && key !== undefined && secretKey.test(key);

function replaceTexts(
  text: string,
  found: readonly ConfigText[],
  write: (at: number) => string,
): string {
  const parts: string[] = [];
  let copied = 0;
  for (const [at, { offset, length }] of found.entries()) {
    parts.push(text.slice(copied, offset), write(at));
    copied = offset + length;
  }
  return parts.join("") + text.slice(copied);
}

/** What is shorter is a word that a log is full of. */
const shortestSecret = 4;

/** The lines of a log with each secret covered, also where it is written as JSON has it. */
export function coverSecrets(lines: readonly string[], secrets: readonly string[]): string[] {
  const written = secrets
    .filter(({ length }) => length >= shortestSecret)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  // The longest first, so that none is left because a part of it is covered.
  const ordered = [...new Set(written)].toSorted((one, other) => other.length - one.length);
  return lines.map((line) =>
    ordered.reduce((left, secret) => left.replaceAll(secret, () => secretMask), line),
  );
}
