import { createHash } from "node:crypto";

import type { ConsoleLine, PresenceLine } from "./console-lines.ts";
import type { NewEvent } from "./frame-buffer.ts";
import type { EndedSession, Session } from "./player-tracker.ts";

type Event = Pick<NewEvent, "kind" | "payload" | "eventKey" | "t">;

/** A name that the schemas accept: mods may make names longer. */
const nameOf = ({ steamId, name }: { readonly steamId: string; readonly name: string }) => ({
  steamId,
  name: name.slice(0, 256),
});

/** Keys contain whole seconds: the game's lines have no time. */
const secondOf = (t: number): number => Math.floor(t / 1_000);

const digestOf = (...texts: readonly string[]): string =>
  createHash("sha256").update(texts.join("\0")).digest("base64url").slice(0, 16);

/** Mods may send a wrong time. */
const trustedTime = (time: number | null, t: number): number =>
  time !== null && Math.abs(time - secondOf(t)) <= 60 ? time : secondOf(t);

/** @param t time of arrival, in epoch milliseconds */
export function eventOfLine(line: Exclude<ConsoleLine, PresenceLine>, t: number): Event {
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

export const joinedEvent = (session: Session, at: number): Event => ({
  kind: "player.joined",
  payload: { ...nameOf(session), connectedAt: session.connectedAt },
  eventKey: `join:${session.steamId}:${session.connectedAt}`,
  t: Math.min(session.connectedAt, at),
});

export const leftEvent = (session: EndedSession, at: number): Event => ({
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

export const onlineEvent = (sessions: readonly Session[], at: number): Event => ({
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
