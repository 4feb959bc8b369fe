import { randomUUID } from "node:crypto";

import type { ServerInfo } from "./console-answers.ts";

/** A date that the game's host wrote in the format of its locale, without a time zone. It is read as UTC. */
interface DateParts {
  readonly first: number;
  readonly second: number;
  readonly year: number;
  readonly timeMs: number;
}

/** The order of day and month in dates with slashes; null if no date of the host has proven it. */
export type DayMonthOrder = "dayFirst" | "monthFirst" | null;

export interface SaveTimeContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the game process started; null if unknown. */
  readonly startedAt: number | null;
  readonly order: DayMonthOrder;
  /** The stored creation time of the save; null if none is stored. */
  readonly known: number | null;
}

const slackMs = 5 * 60_000;

const timePattern = /(\d{1,2})[:.](\d{2})[:.](\d{2})(?:\s*([ap])\.?\s?m\.?)?\s*$/iu;
const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[T\s]/u;
const yearLast = /^(\d{1,2})([-/.])\s?(\d{1,2})[-/.]\s?(\d{4})[,\s]/u;

/** Returns the time of day at the end of a text, in milliseconds since midnight; null if there is none. */
function readTimeOfDay(text: string): number | null {
  const [, hourText, minuteText, secondText, half] = timePattern.exec(text) ?? [];
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  const hour24 = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (!(hour24 < 24 && minute < 60 && second < 60)) return null;
  return ((hour24 * 60 + minute) * 60 + second) * 1_000;
}

/** Returns the game's time of day in hours, from a text such as `06/05/2025 18:02:11`. */
export function readGameHours(text: string): number | null {
  const timeMs = readTimeOfDay(text);
  return timeMs === null ? null : Math.round(timeMs / 36_000) / 100;
}

function instantOf(year: number, month: number, day: number, timeMs: number): number | null {
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 2013 ? at + timeMs : null;
}

function readYearLast(text: string, timeMs: number): (DateParts & { sign: string }) | null {
  const [, first, sign = "", second, year] = yearLast.exec(text) ?? [];
  if (first === undefined) return null;
  return { first: Number(first), second: Number(second), year: Number(year), timeMs, sign };
}

/** Returns the order that a date proves by a number above 12; null if no number is above 12. */
export function readDayMonthOrder(text: string): DayMonthOrder {
  const parts = readYearLast(text, 0);
  if (!parts || parts.sign === ".") return null;
  if (parts.first > 12 && parts.second <= 12) return "dayFirst";
  return parts.second > 12 && parts.first <= 12 ? "monthFirst" : null;
}

/**
 * Reads the creation time of the save, in epoch milliseconds. If day and month can be exchanged, the first of
 * these rules that applies decides: one date is the known save; one date is in the future, so it is wrong;
 * another date proved the order; only one date is after the process start; hosts with a 12-hour clock mostly
 * write the month first.
 * @returns null if the time cannot be read for certain
 */
export function readSaveTime(text: string, facts: SaveTimeContext): number | null {
  const timeMs = readTimeOfDay(text);
  if (timeMs === null) return null;
  const [, year, month, day] = yearFirst.exec(text) ?? [];
  if (year !== undefined) return instantOf(Number(year), Number(month), Number(day), timeMs);
  const parts = readYearLast(text, timeMs);
  if (!parts) return null;
  const dayFirst = instantOf(parts.year, parts.second, parts.first, timeMs);
  if (parts.sign === ".") return dayFirst;
  const monthFirst = instantOf(parts.year, parts.first, parts.second, timeMs);
  const isHalfDay = /[ap]\.?\s?m\.?\s*$/iu.test(text);
  return chooseTime(dayFirst, monthFirst, facts) ?? (isHalfDay ? monthFirst : null);
}

function chooseTime(
  dayFirst: number | null,
  monthFirst: number | null,
  { now, startedAt, order, known }: SaveTimeContext,
): number | null | undefined {
  if (dayFirst === monthFirst) return dayFirst;
  if (known !== null && (known === dayFirst || known === monthFirst)) return known;
  const past = [dayFirst, monthFirst].filter(
    (time): time is number => time !== null && time <= now + slackMs,
  );
  if (past.length < 2) return past[0] ?? null;
  if (order !== null) return order === "dayFirst" ? dayFirst : monthFirst;
  const recent = past.filter((time) => startedAt !== null && time >= startedAt - slackMs);
  return recent.length === 1 ? recent[0] : undefined;
}

/** The save of a world. */
export interface WorldSave {
  /** The creation time as the console wrote it. */
  readonly text: string;
  /** The creation time in epoch milliseconds. */
  readonly saveId: number;
  /** Version of the save format; null if unknown. */
  readonly saveProtocol: number | null;
}

export interface GameChange {
  readonly isNewBoot: boolean;
  /** The world before a wipe; null if there was no wipe. */
  readonly wiped: WorldSave | null;
}

/** Starts of the same process may differ by this much: uptimes are whole seconds, and clocks drift. */
const sameStartMs = 60_000;

interface GameProcess {
  readonly id: string;
  readonly startedAt: number | null;
  uptimeSec: number;
}

const isSameProcess = (known: GameProcess, uptimeSec: number, at: number): boolean =>
  uptimeSec >= known.uptimeSec &&
  (known.startedAt === null || at - uptimeSec * 1_000 - known.startedAt < sameStartMs);

/** The game process and the save that the site stored. */
export interface StoredGame {
  readonly bootId: string | null;
  /** Start of this process in epoch milliseconds; null if unknown. */
  readonly startedAt: number | null;
  /** The creation time of the save. */
  readonly saveId: number | null;
}

/** Detects a new game process and a wipe from the answers to `serverinfo`. */
export class GameTracker {
  #boot: GameProcess | null = null;
  #stored: StoredGame | null = null;
  #world: WorldSave | null = null;
  /** True if the connection or the game process ended since the last answer: only then can a wipe happen. */
  #mayChangeWorld = true;
  #order: DayMonthOrder = null;

  get bootId(): string | null {
    return this.#boot?.id ?? null;
  }

  /** Epoch milliseconds; null if unknown. */
  get startedAt(): number | null {
    return this.#boot?.startedAt ?? null;
  }

  get world(): WorldSave | null {
    return this.#world;
  }

  /** Records that the connection ended, so that the next answer may report a wipe. */
  markBreak(): void {
    this.#mayChangeWorld = true;
  }

  /** Sets the stored game, with which the first answer is compared: the process may be the same. */
  restore(stored: StoredGame): void {
    this.#stored = stored;
  }

  /** @param at time of the answer, in epoch milliseconds */
  update(info: ServerInfo, at: number): GameChange {
    const isNewBoot = this.#followBoot(info, at);
    this.#order =
      readDayMonthOrder(info.saveCreated) ?? readDayMonthOrder(info.gameTime) ?? this.#order;
    const former = this.#world;
    if (isNewBoot) this.#mayChangeWorld = true;
    if (this.#mayChangeWorld && former?.text !== info.saveCreated) {
      this.#world = this.#readWorld(info, at);
    } else if (!former) this.#world = this.#readWorld(info, at);
    this.#mayChangeWorld = false;
    // Only a newer save means a wipe. An older save was restored from a backup.
    const isLater = former && this.#world && this.#world.saveId > former.saveId;
    return { isNewBoot, wiped: isLater ? former : null };
  }

  /** @returns true if a new game process answers */
  #followBoot({ uptimeSec }: ServerInfo, at: number): boolean {
    const known = this.#boot;
    if (known && (uptimeSec === null || isSameProcess(known, uptimeSec, at))) {
      known.uptimeSec = uptimeSec ?? known.uptimeSec;
      return false;
    }
    const startedAt = uptimeSec === null ? null : at - uptimeSec * 1_000;
    const stored = known ? null : this.#findStoredBoot(startedAt);
    this.#boot = { id: randomUUID(), startedAt, ...stored, uptimeSec: uptimeSec ?? 0 };
    return known !== null;
  }

  /** @returns null if the stored process is not the current one */
  #findStoredBoot(startedAt: number | null): Pick<GameProcess, "id" | "startedAt"> | null {
    const { bootId: id, startedAt: storedAt } = this.#stored ?? {};
    if (!id || typeof storedAt !== "number" || startedAt === null) return null;
    return Math.abs(startedAt - storedAt) <= sameStartMs ? { id, startedAt: storedAt } : null;
  }

  #readWorld({ saveCreated, protocol }: ServerInfo, at: number): WorldSave | null {
    const known = this.#world?.saveId ?? this.#stored?.saveId ?? null;
    const facts = { now: at, startedAt: this.startedAt, order: this.#order, known };
    const saveId = readSaveTime(saveCreated, facts);
    const saveProtocol = readProtocolVersions(protocol).save;
    return saveId === null ? null : { text: saveCreated, saveId, saveProtocol };
  }
}

/** Returns the versions in a text such as `2511.254.1`. */
export function readProtocolVersions(protocol: string | null): {
  readonly network: number | null;
  readonly save: number | null;
} {
  const [, network, save] = /^(\d{1,9})\.(\d{1,9})\.\d+/.exec(protocol ?? "") ?? [];
  return {
    network: network === undefined ? null : Number(network),
    save: save === undefined ? null : Number(save),
  };
}
