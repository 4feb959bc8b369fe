import type { SurvivalTriggerId } from "../../facts/triggers/survival-triggers.ts";
import type { Notice } from "../kinds/notice.ts";

type Variables = Notice["variables"];

/**
 * CATALOGUE of sentences that a text for several triggers is made of, by what of a notice may be told:
 * who it was stands in them only where everybody may know.
 */
const sentences: { readonly [Id in SurvivalTriggerId]?: (variables: Variables) => string } = {
  "survival.leader.kills": ({ playerName, kills }) =>
    `${textOf(playerName)} leads with ${textOf(kills)} kills.`,
  "survival.npc.died": ({ name, profile, killerName }) => {
    const npc = textOf(name) || textOf(profile);
    return killerName ? `${npc} was killed by ${textOf(killerName)}.` : `${npc} has fallen.`;
  },
  "survival.player.died": ({ victimName, killerName }) => {
    const victim = textOf(victimName) || "A player";
    return killerName ? `${victim} was killed by ${textOf(killerName)}.` : `${victim} died.`;
  },
  "survival.permission.changed": ({ kind, change }) =>
    `A ${kind === "membership" ? "membership" : "permission"} ${changes[textOf(change)] ?? "has changed"}.`,
  "survival.kit.entitled": ({ kit, uses, serverName }) =>
    `Kit ${textOf(kit)} waits on ${textOf(serverName)}, ${uses === 1 ? "once" : `${textOf(uses)} times`}.`,
};

const changes: Readonly<Record<string, string>> = {
  granted: "was granted",
  revoked: "was taken back",
  expired: "has ended",
  live: "has reached the game",
};

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** @param variables those that may be told */
export function newsOf(id: SurvivalTriggerId, variables: Variables): Variables {
  const news = sentences[id]?.(variables);
  return news === undefined ? {} : { news };
}
