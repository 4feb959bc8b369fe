import { createHash } from "node:crypto";

import {
  type JsonObject,
  parseObject,
  stringifyLongInteger,
} from "../../platform/bridge/json-text.ts";
import type { KillerKind } from "../kinds/players.ts";
import { type ConsoleEvent, nameOf } from "./player-tracker.ts";

// Parsers of the lines that the game logs by itself. Never store or log a line, because lines contain
// addresses and texts of players.

export interface Killer {
  readonly kind: KillerKind;
  readonly steamId?: string;
  readonly name?: string;
  readonly prefab?: string;
}

interface Player {
  readonly steamId: string;
  readonly name: string;
}

export interface ChatLine extends Player {
  readonly type: "chat";
  readonly message: string;
  /** The game's time in epoch seconds; null if the entry has none. */
  readonly time: number | null;
}

export interface DeathLine {
  readonly type: "died";
  readonly victim: Player;
  readonly killer: Killer;
  readonly position: { readonly x: number; readonly z: number } | null;
}

export interface ReportLine {
  readonly type: "reported";
  readonly reporter: Player;
  readonly target: Player | null;
  readonly subject: string;
  readonly message: string;
  readonly kind: string | null;
}

/**
 * A player connected, entered the world or left. A player's name can imitate such a line, so check the list of
 * players.
 */
export interface PresenceLine {
  readonly type: "presence";
  readonly steamId: string | null;
  /** The reason that the game gives for a leave; null for other lines. */
  readonly reason: string | null;
}

export type ConsoleLine = ChatLine | DeathLine | ReportLine | PresenceLine;

/** Maximum characters of a line that is read: parsing longer ones is slow, and the game writes none. */
const longestLine = 1_500;
const account = /^7656119\d{10}$/;

/** Reads a message that the console sent by itself. @returns undefined if it is no event */
export function readConsoleLine({
  Type: type,
  Message: message,
}: JsonObject): ConsoleLine | undefined {
  if (typeof message !== "string") return undefined;
  if (type === "Chat") return readChat(message);
  if (type === "Report") return readReport(message);
  if (type !== "Generic" || message.length > longestLine) return undefined;
  const line = message.trim();
  if (/[\r\n]/.test(line)) return undefined;
  // The game logs chat also as a line, which players can forge. Use only the entry of type `Chat`.
  if (line.includes("CHAT]") || /^\[(?:Player|Feedback)Report\]/.test(line)) return undefined;
  return isPresence(line) ? readPresence(line) : readDeath(line);
}

/** Reads a chat entry of the global channel. Messages of other channels must not leave the game. */
function readChat(text: string): ChatLine | undefined {
  const entry = parseObject(text);
  if (entry?.Channel !== 0) return undefined;
  const steamId = idOf(entry.UserId);
  const message = textOf(entry.Message);
  if (steamId === null || message === "") return undefined;
  const time = Number.isSafeInteger(entry.Time) ? Number(entry.Time) : null;
  return { type: "chat", steamId, name: textOf(entry.Username), message, time };
}

function readReport(text: string): ReportLine | undefined {
  const entry = parseObject(text);
  const reporter = entry && idOf(entry.PlayerId);
  if (!entry || !reporter) return undefined;
  const target = idOf(entry.TargetId);
  const { Type: kind } = entry;
  return {
    type: "reported",
    reporter: { steamId: reporter, name: textOf(entry.PlayerName) },
    target: target === null ? null : { steamId: target, name: textOf(entry.TargetName) },
    subject: textOf(entry.Subject),
    message: textOf(entry.Message),
    kind: typeof kind === "string" || typeof kind === "number" ? String(kind).slice(0, 64) : null,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, 4_096) : "");

function idOf(value: unknown): string | null {
  const id = stringifyLongInteger(value);
  return typeof id === "string" && account.test(id) ? id : null;
}

/** The position that newer versions of the game add to the end of a line. */
const placePattern = / at \((-?[\d.]+), (-?[\d.]+), (-?[\d.]+)\)$/;
const killed = "] was killed by ";
/** The forms of lines about deaths: the line's end without the position, and the words after the victim. */
const deathForms = [
  { end: /\[(?:\d+\/)?\d+\]$/, words: killed },
  { end: /\] died \([A-Za-z ]+\)$/, words: "] died (" },
  { end: /\] was suicide by [A-Za-z ]+$/, words: "] was suicide by " },
  { end: /./, words: killed },
] as const;

/**
 * Reads the death of a player. Names can contain the words of a form, so the end of the line decides the
 * form, and the last occurrence of its words separates the victim from the killer.
 */
function readDeath(line: string): DeathLine | undefined {
  const place = placePattern.exec(line);
  const text = line.slice(0, place?.index);
  const words = deathForms.find(({ end }) => end.test(text))?.words ?? killed;
  const at = text.lastIndexOf(words);
  const victim = at < 0 ? null : readNamed(text.slice(0, at + 1));
  if (!victim || !account.test(victim.id) || addressInside.test(victim.name)) return undefined;
  const { id: steamId, name } = victim;
  return {
    type: "died",
    victim: { steamId, name },
    killer: words.includes("suicide")
      ? { kind: "self" }
      : readKiller(text.slice(at + words.length), steamId),
    position: place && { x: Number(place[1]), z: Number(place[3]) },
  };
}

/** Reads `name[id]` or `name[entity/id]`. A name may contain brackets, so the last ones contain the id. */
function readNamed(text: string): { readonly name: string; readonly id: string } | null {
  const [, name = "", id] = /^(.*)\[(?:\d+\/)?(\d+)\]$/su.exec(text) ?? [];
  return id === undefined ? null : { name, id };
}

const animals =
  /^(?:boar|bear|polarbear|wolf2?|stag|chicken|horse|ridablehorse|simpleshark|shark|crocodile|tiger|panther|snake)\b/iu;
const causes =
  /^(?:fall|drowned|drowning|hunger|thirst|cold|coldexposure|heat|bleeding|poison|radiation|radiationexposure|explosion|electricshock|generic|decay|collision)$/iu;

/** Reads the killer in a line. Players have the id of a Steam account; NPCs have shorter numbers. */
function readKiller(text: string, victim: string): Killer {
  const named = readNamed(text);
  if (named && account.test(named.id)) {
    return named.id === victim
      ? { kind: "self" }
      : { kind: "player", steamId: named.id, name: named.name };
  }
  if (named || /^\d+$/.test(text)) return { kind: "npc" };
  const word = text.replace(/[!)]$/, "").trim();
  if (/^suicide$/iu.test(word)) return { kind: "self" };
  if (causes.test(word)) return { kind: "environment", prefab: word.toLowerCase() };
  const [, prefab = word] = /\(([^()]*)\)?$/.exec(text) ?? [];
  const kind = animals.test(prefab) || animals.test(word) ? "animal" : "entity";
  return { kind, prefab: prefab.toLowerCase().slice(0, 256) };
}

const address = /^[^\s/]+:\d+\/(\d{17})\//;
/** A network address as in a line about a connection. No name in an event may contain an address. */
const addressInside = /:\d+\/\d{17}\//;
const entry = /\] has (?:entered the game|spawned)$/;
const addressInText = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g;

/**
 * True for a line about a connection. The game writes the start or the end of the line, so a player's name cannot
 * disguise it.
 */
const isPresence = (line: string): boolean => address.test(line) || entry.test(line);

function readPresence(line: string): PresenceLine | undefined {
  const steamId = address.exec(line)?.[1];
  if (steamId !== undefined) {
    if (/ joined \[[^\]]*\]$/.test(line)) return { type: "presence", steamId, reason: null };
    const words = " disconnecting: ";
    const at = line.lastIndexOf(words);
    if (at < 0) return undefined;
    const reason = line.slice(at + words.length).replaceAll(addressInText, "");
    return { type: "presence", steamId, reason };
  }
  return { type: "presence", steamId: null, reason: null };
}

/** Event keys contain whole seconds of the arrival, because the game's lines have no time. */
const secondOf = (t: number): number => Math.floor(t / 1_000);

const digestOf = (...texts: readonly string[]): string =>
  createHash("sha256").update(texts.join("\0")).digest("base64url").slice(0, 16);

/** Mods may send a wrong time, so a time far from the arrival is ignored. */
const trustedTime = (time: number | null, t: number): number =>
  time !== null && Math.abs(time - secondOf(t)) <= 60 ? time : secondOf(t);

/** @param t time of arrival, in epoch milliseconds */
export function eventOfLine(line: Exclude<ConsoleLine, PresenceLine>, t: number): ConsoleEvent {
  if (line.type === "chat") {
    const { steamId, message, time } = line;
    const payload = { ...nameOf(line), channel: "global", message };
    const eventKey = `chat:${steamId}:${trustedTime(time, t)}:${digestOf(message)}`;
    return { kind: "player.chat", payload, eventKey, t };
  }
  if (line.type === "died") {
    const { victim, killer, position } = line;
    const payload = {
      victim: nameOf(victim),
      killer: { ...killer, ...(killer.name !== undefined && { name: killer.name.slice(0, 256) }) },
      ...position,
    };
    return { kind: "player.died", payload, eventKey: `died:${victim.steamId}:${secondOf(t)}`, t };
  }
  const { reporter, target, subject, message, kind: type } = line;
  const digest = digestOf(subject, message);
  return {
    kind: "player.reported",
    payload: {
      reporter: nameOf(reporter),
      target: target && nameOf(target),
      subject,
      message,
      type,
    },
    eventKey: `report:${reporter.steamId}:${secondOf(t)}:${digest}`,
    t,
  };
}
