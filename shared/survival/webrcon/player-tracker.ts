import type { ListedPlayer } from "./console-answers.ts";
import type { NewEvent } from "./frame-buffer.ts";

/** The period in which a player is connected to the game. */
export interface PlayerSession {
  readonly steamId: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly connectedAt: number;
}

export interface EndedSession extends PlayerSession {
  readonly reason: string | null;
}

export interface PresenceChange {
  readonly joined: readonly PlayerSession[];
  readonly left: readonly EndedSession[];
}

/**
 * Starts of sessions are rounded down to a multiple of this, because the list has whole seconds and arrives late.
 */
const roundedMs = 5_000;
/** Maximum difference between the stored and the computed start of the same session. */
const storedMs = 5_000;
/** If a start is later than the known one by more than this, the player has reconnected. */
const otherSessionMs = 15_000;

/**
 * The players on the server. Only the console's list changes it, because a player's name can imitate a line
 * about another player. After such a line, the list is read sooner, and a leave gets the line's reason.
 */
export class PlayerTracker {
  #sessions = new Map<string, PlayerSession>();
  #reasons = new Map<string, string>();
  #owners = new Map<string, string>();
  #stored: ReadonlyMap<string, number> = new Map();
  #hasList = false;

  get sessions(): readonly PlayerSession[] {
    return [...this.#sessions.values()];
  }

  /** True if a list was read. */
  get hasList(): boolean {
    return this.#hasList;
  }

  has(steamId: string): boolean {
    return this.#sessions.has(steamId);
  }

  nameOf(steamId: string): string | null {
    return this.#sessions.get(steamId)?.name ?? null;
  }

  /** Returns the account from which a player borrows the game; null if the player owns the game. */
  ownerOf(steamId: string): string | null {
    return this.#owners.get(steamId) ?? null;
  }

  /** Keeps the reason for a player's leave until the next list. */
  setReason(steamId: string, reason: string): void {
    if (this.#sessions.has(steamId)) this.#reasons.set(steamId, reason);
  }

  /** Sets the stored starts of sessions, which the first list uses. @param starts by Steam id */
  restore(starts: ReadonlyMap<string, number>): void {
    this.#stored = starts;
  }

  /** Removes all players, because a new game process has none. */
  restart(): void {
    this.#sessions.clear();
    this.#reasons.clear();
  }

  /**
   * Replaces the list of players, and returns joins and leaves. The first list returns none, because the
   * earlier players are unknown.
   * @param at time of the list, in epoch milliseconds
   */
  update(players: readonly ListedPlayer[], at: number): PresenceChange {
    const sessions = new Map<string, PlayerSession>();
    const joined: PlayerSession[] = [];
    const left: EndedSession[] = [];
    for (const player of players) {
      const { steamId } = player;
      const known = this.#sessions.get(steamId);
      const session = continueSession(known, player, at, this.#stored.get(steamId));
      sessions.set(steamId, session);
      if (session.connectedAt === known?.connectedAt) continue;
      if (known) left.push({ ...known, reason: this.#reasons.get(steamId) ?? null });
      joined.push(session);
    }
    for (const [steamId, session] of this.#sessions) {
      if (sessions.has(steamId)) continue;
      left.push({ ...session, reason: this.#reasons.get(steamId) ?? null });
    }
    this.#sessions = sessions;
    this.#reasons.clear();
    this.#owners = new Map(
      players.flatMap(({ steamId, ownerSteamId }) =>
        ownerSteamId ? [[steamId, ownerSteamId]] : [],
      ),
    );
    this.#stored = new Map();
    const isFirst = !this.#hasList;
    this.#hasList = true;
    return isFirst ? { joined: [], left: [] } : { joined, left };
  }
}

/** Keeps a session's known start, because the start that each list yields differs slightly. */
function continueSession(
  known: PlayerSession | undefined,
  { steamId, name, connectedSec }: ListedPlayer,
  at: number,
  storedAt = -Infinity,
): PlayerSession {
  const told = Math.floor((at - connectedSec * 1_000) / roundedMs) * roundedMs;
  const began = Math.abs(told - storedAt) <= storedMs ? storedAt : told;
  const connectedAt =
    known && began <= known.connectedAt + otherSessionMs ? known.connectedAt : Math.max(0, began);
  return { steamId, name, connectedAt };
}

/** An event of a console before it gets a position in the stream. */
export type ConsoleEvent = Pick<NewEvent, "kind" | "payload" | "eventKey" | "t">;

/** Cuts the name to the maximum of the schemas, because mods may make names longer. */
export const nameOf = ({ steamId, name }: { readonly steamId: string; readonly name: string }) => ({
  steamId,
  name: name.slice(0, 256),
});

export const joinedEvent = (session: PlayerSession, at: number): ConsoleEvent => ({
  kind: "player.joined",
  payload: { ...nameOf(session), connectedAt: session.connectedAt },
  eventKey: `join:${session.steamId}:${session.connectedAt}`,
  t: Math.min(session.connectedAt, at),
});

export const leftEvent = (session: EndedSession, at: number): ConsoleEvent => ({
  kind: "player.left",
  payload: {
    ...nameOf(session),
    connectedAt: session.connectedAt,
    ...(session.reason !== null && { reason: session.reason }),
    sessionSec: Math.max(0, Math.floor((at - session.connectedAt) / 1_000)),
  },
  eventKey: `left:${session.steamId}:${session.connectedAt}`,
  t: at,
});

export const onlineEvent = (sessions: readonly PlayerSession[], at: number): ConsoleEvent => ({
  kind: "player.online",
  payload: {
    players: sessions.map((session) => ({
      ...nameOf(session),
      connectedAt: session.connectedAt,
    })),
  },
  eventKey: null,
  t: at,
});
