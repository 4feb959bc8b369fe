import { maskSecretsInOutput, maskSecretText } from "./secret-forms.ts";
import { secretMask, isPairedValueKey, isSecretNameEntry, isSecretName } from "./secret-names.ts";

/** Minimum length of a secret. Shorter ones are common words. */
const shortestSecret = 4;
/** Minimum length of the visible part of a secret that the start or end of a line cuts off. */
const shortestPart = 6;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds known secrets in texts, also as they are escaped in JSON and URLs. */
export class SecretFinder {
  readonly #beginnings = new Map<string, Map<number, Set<string>>>();
  readonly #longBeginnings = new Map<string, string[]>();
  readonly #longEnds = new Map<string, string[]>();
  #longest = 0;

  /** @param shortest minimum length; shorter secrets are ignored */
  constructor(secrets: Iterable<string>, shortest: number = shortestSecret) {
    const all = new Set<string>();
    for (const secret of new Set(secrets)) {
      if (secret.length >= shortest) for (const written of writtenForms(secret)) all.add(written);
    }
    for (const secret of all) this.#add(secret);
  }

  #add(secret: string): void {
    const { length } = secret;
    if (length < shortestSecret) return;
    this.#longest = Math.max(this.#longest, length);
    const beginning = secret.slice(0, shortestSecret);
    const byLength = this.#beginnings.get(beginning) ?? new Map<number, Set<string>>();
    this.#beginnings.set(beginning, byLength);
    byLength.set(length, (byLength.get(length) ?? new Set()).add(secret));
    if (length <= shortestPart) return;
    pushTo(this.#longBeginnings, secret.slice(0, shortestPart), secret);
    pushTo(this.#longEnds, secret.slice(-shortestPart), secret);
  }

  isIn(text: string): boolean {
    return this.#spansIn(text).next().done !== true;
  }

  /** Masks known secrets, also a secret of which the line contains only a part. */
  mask(line: string): string {
    const spans = [this.#cutAtStart(line), ...this.#spansIn(line), this.#cutAtEnd(line)];
    return maskSpans(
      line,
      spans.filter((span) => span !== undefined),
    );
  }

  /** Yields the longest secret that begins at each position. Secrets may overlap. */
  *#spansIn(text: string): Generator<Span> {
    if (this.#beginnings.size === 0) return;
    for (let start = 0; start + shortestSecret <= text.length; start += 1) {
      const byLength = this.#beginnings.get(text.slice(start, start + shortestSecret));
      if (!byLength) continue;
      let longest = 0;
      for (const [length, secrets] of byLength) {
        if (length > longest && secrets.has(text.slice(start, start + length))) longest = length;
      }
      if (longest > 0) yield { start, end: start + longest };
    }
  }

  #cutAtEnd(line: string): Span | undefined {
    const first = Math.max(0, line.length - this.#longest);
    for (let start = first; start + shortestPart <= line.length; start += 1) {
      const begun = this.#longBeginnings.get(line.slice(start, start + shortestPart)) ?? [];
      const rest = line.slice(start);
      if (begun.some((secret) => secret.startsWith(rest))) return { start, end: line.length };
    }
    return undefined;
  }

  #cutAtStart(line: string): Span | undefined {
    for (let end = Math.min(line.length, this.#longest); end >= shortestPart; end -= 1) {
      const ended = this.#longEnds.get(line.slice(end - shortestPart, end)) ?? [];
      const rest = line.slice(0, end);
      if (ended.some((secret) => secret.endsWith(rest))) return { start: 0, end };
    }
    return undefined;
  }
}

const pushTo = (lists: Map<string, string[]>, key: string, item: string): void => {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
};

/** Returns a secret's forms: plain, in JSON, in URLs, and its single lines, as a console prints them. */
function writtenForms(secret: string): string[] {
  if (secret.length < shortestSecret) return [];
  const lines = secret.split(/[\r\n]+/).filter(({ length }) => length > shortestPart);
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [secret, escaped, encodeURIComponent(secret.toWellFormed()), ...lines];
}

function maskSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let covered = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start >= covered) parts.push(text.slice(covered, start), secretMask);
    covered = Math.max(covered, end);
  }
  return parts.join("") + text.slice(covered);
}

/** Masks known secrets in a program's output, and texts whose form or name marks them as secret. */
export function maskSecretsInLines(lines: readonly string[], secrets: readonly string[]): string[] {
  const finder = new SecretFinder(secrets);
  return lines.map((line) => maskSecretsInOutput(finder.mask(line)));
}

/** Matches every text that contains a secret. Most other texts do not match and need no slower search. */
const secretHint =
  /key|pass|pwd|token|secret|hook|connection|credential|sig|auth|bearer|basic|\/\/|bot|@|pw|psw|-----|[\w-]{16}|[^\0-\x7f]/i;

/** Masks secrets in a JSON payload, recognized by the names of fields and by their form. */
export function maskPayloadText(text: string): string {
  if (!secretHint.test(text)) return text;
  return JSON.stringify(maskValue(JSON.parse(text), false));
}

function maskValue(value: unknown, isNamed: boolean): unknown {
  if (typeof value === "string") return maskText(value, isNamed);
  if (typeof value === "number") return isNamed ? secretMask : value;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, isNamed));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const isPair = entries.some(
    ([name, inner]) => typeof inner === "string" && isSecretNameEntry(name, inner),
  );
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      maskSecretText(name),
      maskValue(inner, isNamed || isSecretName(name) || (isPair && isPairedValueKey(name))),
    ]),
  );
}

function maskText(text: string, isNamed: boolean): string {
  if (isNamed) return text === "" ? text : secretMask;
  return maskSecretText(text);
}
