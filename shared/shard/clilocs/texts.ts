import { decodeWithFallback } from "../../imports/files/decode-text.ts";
import type { LoadedClilocSource } from "../../imports/results/clilocs.ts";
import { SourceFault } from "../../imports/results/source-fault.ts";
import { isObject, nestsDeeper, toStorableText } from "../../platform/bridge/json-text.ts";
import { limits } from "../../platform/limits.ts";
import { readTable } from "./table.ts";

export type ClilocTextEntries = Iterable<readonly [number: number, text: string]>;

/** Reads one overlay of a shard. @throws {SourceFault} if the file has none of the supported formats */
export async function readOverlay(label: string, bytes: Buffer): Promise<ClilocTextEntries> {
  if (/\.csv$/i.test(label)) return readCsv(label, decodeWithFallback(label, bytes));
  if (/\.json$/i.test(label)) return readJson(label, decodeWithFallback(label, bytes));
  return readTable(label, bytes);
}

const line = /^\s*"?(\d{1,10})"?\s*[;,\t](.*)$/;

/** Reads lines of `number;text`; drops flags if the header names them. Texts may hold the separator. */
function readCsv(label: string, text: string): [number, string][] {
  const lines = text.split(/\r?\n|\r/);
  const hasFlags = /^\s*"?number"?[;,\t].*[;,\t]"?flag"?\s*$/i.test(lines[0] ?? "");
  const entries = lines.flatMap((one): [number, string][] => {
    const [, number, rest = ""] = line.exec(one) ?? [];
    if (number === undefined || !isNumber(Number(number))) return [];
    return [[Number(number), unquote(hasFlags ? withoutFlag(rest) : rest)]];
  });
  if (entries.length > 0 || text.trim() === "") return entries;
  throw new SourceFault("UNREADABLE", `${label}: no line has the form number;text`);
}

/** Removes the text after the last separator if it is a flag or empty. */
function withoutFlag(rest: string): string {
  const text = rest.trimEnd();
  const at = Math.max(...[";", ",", "\t"].map((separator) => text.lastIndexOf(separator)));
  return at !== -1 && /^\s*\d*$/.test(text.slice(at + 1)) ? text.slice(0, at) : text;
}

function unquote(text: string): string {
  const plain = text.trimEnd();
  const isQuoted = plain.length > 1 && plain.startsWith('"') && plain.endsWith('"');
  return toStorableText(isQuoted ? plain.slice(1, -1).replaceAll('""', '"') : plain);
}

/** Reads `{ "500000": "text" }`, or an object with one text per language. */
function readJson(label: string, text: string): [number, string][] {
  const value = parse(label, text);
  if (!isObject(value) || nestsDeeper(value, limits.jsonDepth)) {
    throw new SourceFault("UNREADABLE", `${label}: it is not an object of texts by number`);
  }
  return Object.entries(value).flatMap(([key, given]): [number, string][] => {
    const spoken = isObject(given) ? (given["ENU"] ?? Object.values(given)[0]) : given;
    if (!/^\d{1,10}$/.test(key) || !isNumber(Number(key)) || typeof spoken !== "string") return [];
    return [[Number(key), toStorableText(spoken)]];
  });
}

function parse(label: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SourceFault("UNREADABLE", `${label}: ${(error as Error).message}`);
  }
}

const isNumber = (number: number): boolean => number <= 0x7fff_ffff;

/** Limits of characters and of texts, which no client's table reaches. */
const maxLength = 64 * 1024 * 1024;
const maxTexts = 2_000_000;

/** The texts of several sources; a later source overrides an earlier one. Blank texts are ignored. */
export class MergedTexts {
  readonly texts = new Map<number, string>();
  readonly sources: LoadedClilocSource[] = [];
  parsed = 0;
  blank = 0;
  #length = 0;

  add(label: string, kind: LoadedClilocSource["kind"], texts: ClilocTextEntries): void {
    this.begin(label, kind)(texts);
  }

  /** Starts a source that arrives in pages. @returns a function that adds one page of texts */
  begin(label: string, kind: LoadedClilocSource["kind"]): (texts: ClilocTextEntries) => void {
    const before = new Set(this.texts.keys());
    const overridden = new Set<number>();
    const at = this.sources.length;
    const take = (texts: ClilocTextEntries): void => {
      for (const [number, text] of texts) {
        if (this.#put(number, text) && before.has(number)) overridden.add(number);
      }
      const added = this.texts.size - before.size;
      const overrode = overridden.size;
      this.sources[at] = { label, kind, entries: added + overrode, added, overrode };
    };
    take([]);
    return take;
  }

  #put(number: number, text: string): boolean {
    this.parsed += 1;
    if (text === "") this.blank += 1;
    else this.texts.set(number, text);
    this.#length += text.length;
    if (this.#length > maxLength || this.parsed > maxTexts) {
      throw new SourceFault("TOO_LARGE", "there are more texts than any game client has");
    }
    return text !== "";
  }
}
