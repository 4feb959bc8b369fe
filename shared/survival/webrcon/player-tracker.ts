import type { ListedPlayer } from "./console-answers.ts";
import type { NewEvent } from "./frame-buffer.ts";

/** A connection of a player to the game. */
export interface Session {
  readonly steamId: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly connectedAt: number;
}

export interface EndedSession extends Session {
  readonly reason: string | null;
}

export interface PresenceChange {
  readonly joined: readonly Session[];
  readonly left: readonly EndedSession[];
}

/** The list counts whole seconds and arrives late, so the start of a session is rounded down to this. */
const roundedMs = 5_000;
/** A stored session that began at most this much earlier or later is the same. */
const storedMs = 5_000;
/** A session that began this much later than the known one is another session. */
const otherSessionMs = 15_000;

/**
 * The players on the server. Only the console's list of players changes it: a line about a player may be
 * imitated by another player's name. A line makes the list be asked for sooner and gives the reason.
 */
export class PlayerTracker {
  #sessions = new Map<string, Session>();
  #reasons = new Map<string, string>();
  #owners = new Map<string, string>();
  #stored: ReadonlyMap<string, number> = new Map();
  #hasList = false;

  get sessions(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** True if a list was read since the start or the last `forget`. */
  get hasList(): boolean {
    return this.#hasList;
  }

  has(steamId: string): boolean {
    return this.#sessions.has(steamId);
  }

  nameOf(steamId: string): string | null {
    return this.#sessions.get(steamId)?.name ?? null;
  }

  /** Returns the owner of the shared game with which a player plays; null if the game is the player's. */
  ownerOf(steamId: string): string | null {
    return this.#owners.get(steamId) ?? null;
  }

  /** Stores the reason for which a player leaves, until the next list. */
  setReason(steamId: string, reason: string): void {
    if (this.#sessions.has(steamId)) this.#reasons.set(steamId, reason);
  }

  /** Gives the starts of sessions that the site stored, for the first list. @param starts by Steam id */
  restore(starts: ReadonlyMap<string, number>): void {
    this.#stored = starts;
  }

  /** Starts with an empty server: a new game process has no players. */
  restart(): void {
    this.#sessions.clear();
    this.#reasons.clear();
  }

  /**
   * Replaces the list of players. The first list changes nothing that is told, because the service does
   * not know who was there before.
   * @param at time of the list, in epoch milliseconds
   */
  update(players: readonly ListedPlayer[], at: number): PresenceChange {
    const sessions = new Map<string, Session>();
    const joined: Session[] = [];
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

/** Keeps the start of a session that was told before, because each list gives a slightly other start. */
function continueSession(
  known: Session | undefined,
  { steamId, name, connectedSec }: ListedPlayer,
  at: number,
  storedAt = -Infinity,
): Session {
  const told = Math.floor((at - connectedSec * 1_000) / roundedMs) * roundedMs;
  const began = Math.abs(told - storedAt) <= storedMs ? storedAt : told;
  const connectedAt =
    known && began <= known.connectedAt + otherSessionMs ? known.connectedAt : Math.max(0, began);
  return { steamId, name, connectedAt };
}

/** An event of a console before it has a place in the stream. */
export type ConsoleEvent = Pick<NewEvent, "kind" | "payload" | "eventKey" | "t">;

/** A name that the schemas accept: mods may make names longer. */
export const nameOf = ({ steamId, name }: { readonly steamId: string; readonly name: string }) => ({
  steamId,
  name: name.slice(0, 256),
});

export const joinedEvent = (session: Session, at: number): ConsoleEvent => ({
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

export const onlineEvent = (sessions: readonly Session[], at: number): ConsoleEvent => ({
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
