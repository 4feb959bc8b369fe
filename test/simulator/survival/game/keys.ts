import { createHash } from "node:crypto";

import type { Payload } from "../../stream/event.ts";

interface KeyFacts {
  readonly payload: Payload;
  readonly t: number;
  readonly saveId: number | null;
  readonly bootId: string | null;
  /**
   * The number of the event in this run of the game. It distinguishes events whose payloads may be
   * equal.
   */
  readonly count: number;
}

type Mint = (facts: KeyFacts) => string;

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

/** Returns a text or number of the payload, as text. An absent field gives an empty text. */
function field(payload: Payload, name: string): string {
  const value = payload[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Returns the Steam id of a player in the payload, or an empty text. */
const whom = (payload: Payload, name: string): string =>
  field((payload[name] ?? {}) as Payload, "steamId");

const clan =
  (change: string): Mint =>
  ({ payload, t }) => {
    const subject = whom(payload, "member") || field(payload, "field");
    return `clan:${field(payload, "clanId")}:${field(payload, "created")}:${change}:${subject}:${t}`;
  };

const plugin =
  (change: string): Mint =>
  ({ payload, bootId, count }) =>
    `plugin:${field(payload, "name")}:${change}:${bootId}:${count}`;

/**
 * CATALOGUE of functions that derive the key of an event, by kind. Other kinds are states and have
 * no key.
 */
const mints: Readonly<Record<string, Mint>> = {
  "player.joined": ({ payload }) =>
    `join:${field(payload, "steamId")}:${field(payload, "connectedAt")}`,
  "player.left": ({ payload }) =>
    `leave:${field(payload, "steamId")}:${field(payload, "connectedAt")}`,
  "player.died": ({ payload, t }) => `death:${whom(payload, "victim")}:${t}`,
  "player.respawned": ({ payload, t }) => `respawn:${field(payload, "steamId")}:${t}`,
  "player.chat": ({ payload, t }) =>
    `chat:${field(payload, "steamId")}:${t}:${sha1(field(payload, "message")).slice(0, 8)}`,
  "player.reported": ({ payload, t }) => `reported:${whom(payload, "reporter")}:${t}`,
  "survival.npc.died": ({ payload, saveId }) => `npcdied:${saveId}:${field(payload, "netId")}`,
  "survival.npc.health": ({ payload, saveId }) =>
    `npchealth:${saveId}:${field(payload, "netId")}:${field(payload, "step")}`,
  "clan.created": clan("created"),
  "clan.disbanded": clan("disbanded"),
  "clan.member.added": clan("added"),
  "clan.member.left": clan("left"),
  "clan.member.kicked": clan("kicked"),
  "clan.changed": clan("changed"),
  "world.wiped": ({ payload }) => `wipe:${field(payload, "saveId")}`,
  "world.expired": ({ payload }) => `world:${field(payload, "what")}:${field(payload, "ref")}`,
  "lease.expired": ({ payload }) => `lease:${field(payload, "leaseId")}`,
  "plugin.loaded": plugin("loaded"),
  "plugin.unloaded": plugin("unloaded"),
  "plugin.failed": plugin("failed"),
  "config.outcome": ({ payload }) => `config:${field(payload, "writeId")}`,
  "participation.joined": ({ payload }) =>
    `participation:${field(payload, "participationId")}:${field(payload, "steamId")}`,
  "kit.redeemed": ({ payload, t }) =>
    `redeemed:${field(payload, "steamId")}:${field(payload, "kit")}:${t}`,
  "link.minted": ({ bootId, count }) => `link:${bootId}:${count}`,
  "perm.changed": ({ bootId, count }) => `perm:${bootId}:${count}`,
};

/**
 * Derives the key of an event from its payload, so that the same event has the same key in each
 * buffer.
 */
export const mintKey = (kind: string, facts: KeyFacts): string | null =>
  mints[kind]?.(facts) ?? null;
