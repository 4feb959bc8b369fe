import type { InferAttributes } from "sequelize";

import type { Cliloc as StoredCliloc } from "../../../models/shard/cliloc.ts";
import { type Database, rows } from "../../platform/db/rows.ts";
import { selectClilocs } from "./labels.sql.ts";

type ClilocText = Pick<InferAttributes<StoredCliloc>, "number" | "text">;

/** A text of the client's table, by number, and what its placeholders hold, separated by tabs. */
export interface Cliloc {
  readonly number: number;
  readonly args: string | null;
}

export type ClilocTexts = ReadonlyMap<number, string>;

/** How many references from text to text are followed: in a table they may form a circle. */
const deepest = 4;

/** `~1_NAME~`: the client pairs tildes. A last one without its partner ends with its word. */
const placeholders = /~(\d+)(?:[^~]*~|\w*)/g;

const reference = /^#(\d+)$/;

/** Markup of the client's own windows: a tag that breaks a line becomes a space, any other nothing. */
const breaks = /<\/?(?:br|p|div|center|li)\b[^<>]*>/gi;
const markup = /<\/?[a-z][^<>]*>/gi;

/**
 * The text as a player reads it, on one line: arguments filled in (`#1044061` stands for the text
 * of that number), placeholders without one left out, markup taken away.
 * @returns null when the table has no such text or nothing of it is left
 */
export function fillCliloc(cliloc: Cliloc, texts: ClilocTexts): string | null {
  const filled = fill(cliloc.number, cliloc.args?.split("\t") ?? [], texts, 0);
  return filled?.replaceAll(/\s+/g, " ").trim() || null;
}

function fill(
  number: number,
  args: readonly string[],
  texts: ClilocTexts,
  depth: number,
): string | undefined {
  const text = depth > deepest ? undefined : texts.get(number);
  const other = text === undefined ? undefined : referenceIn(text);
  if (other !== undefined) return fill(other, args, texts, depth + 1);
  const plain = text?.replaceAll(breaks, " ").replaceAll(markup, "");
  return plain?.replaceAll(placeholders, (_, position: string) => {
    const arg = args[Number(position) - 1] ?? "";
    const meant = referenceIn(arg);
    return meant === undefined ? arg : (fill(meant, [], texts, depth + 1) ?? "");
  });
}

function referenceIn(text: string): number | undefined {
  const number = Number(reference.exec(text.trim())?.[1]);
  return number <= 0x7fff_ffff ? number : undefined;
}

/** The texts that these name, and those that the texts name in turn. */
export async function readClilocTexts(
  clilocs: readonly Cliloc[],
  database: Database,
): Promise<ClilocTexts> {
  const texts = new Map<number, string>();
  let wanted = new Set(clilocs.flatMap(numbersOf));
  for (let depth = 0; depth <= deepest && wanted.size > 0; depth++) {
    const found = await rows<ClilocText>(database, selectClilocs, [[...wanted]]);
    for (const { number, text } of found) texts.set(number, text);
    const named = found
      .map(({ text }) => referenceIn(text))
      .filter((number) => number !== undefined);
    wanted = new Set(named.filter((number) => !texts.has(number)));
  }
  return texts;
}

const numbersOf = ({ number, args }: Cliloc): number[] => [
  number,
  ...(args?.split("\t") ?? []).map(referenceIn).filter((named) => named !== undefined),
];
