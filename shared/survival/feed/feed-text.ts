import { toPlainText } from "../../platform/texts/plain-text.ts";
import { displayName } from "../plain-texts.ts";

type Maybe<T> = T | null | undefined;

interface Named {
  readonly steamId: string;
  readonly name: string;
}

interface Killer {
  readonly kind: "player" | "npc" | "animal" | "entity" | "self" | "environment";
  readonly steamId?: Maybe<string>;
  readonly name?: Maybe<string>;
}

interface Death {
  readonly victim: Named;
  readonly killer: Killer;
  readonly weapon?: Maybe<string>;
  readonly distance?: Maybe<number>;
  readonly headshot?: Maybe<boolean>;
}

/** The kinds of the feed, with the payload fields that their sentences use. */
export interface FeedPayloads {
  readonly "world.wiped": { readonly blueprints: "kept" | "wiped" | "unknown" };
  readonly "player.joined": Named & { readonly first?: Maybe<boolean> };
  readonly "player.left": Named;
  readonly "player.respawned": Named;
  readonly "player.died": Death;
  readonly "player.chat": Named & { readonly message: string };
  readonly "survival.npc.died": {
    readonly profile: string;
    readonly name?: Maybe<string>;
    /** Absent if the viewer must not see who is online. */
    readonly killer?: Maybe<Named>;
  };
}

export type FeedKind = keyof FeedPayloads;

/** Sentences name no position: only staff may see where players are. */
const sentences: { readonly [Kind in FeedKind]: (payload: FeedPayloads[Kind]) => string } = {
  "world.wiped": ({ blueprints }) => wipes[blueprints],
  "player.joined": (player) =>
    player.first === true
      ? `${nameOf(player)} joined for the first time.`
      : `${nameOf(player)} joined.`,
  "player.left": (player) => `${nameOf(player)} left.`,
  "player.respawned": (player) => `${nameOf(player)} respawned.`,
  "player.died": deathText,
  "player.chat": (player) => `${nameOf(player)}: ${toPlainText(player.message, longestMessage)}`,
  "survival.npc.died": ({ profile, name, killer }) => {
    const npc = toPlainText(name ?? "", longestWord) || profile;
    return killer ? `${npc} was killed by ${nameOf(killer)}.` : `${npc} died.`;
  },
};

export const feedKinds = Object.keys(sentences) as readonly FeedKind[];

/** Returns a sentence about an event. Texts of players in it are plain, but not HTML-escaped. */
export const formatFeedText = <Kind extends FeedKind>(
  kind: Kind,
  payload: FeedPayloads[Kind],
): string => sentences[kind](payload);

const longestMessage = 512;
const longestWord = 64;

const wipes = {
  kept: "The map was wiped; blueprints were kept.",
  wiped: "The map and the blueprints were wiped.",
  unknown: "The server was wiped.",
} as const;

const nameOf = ({ steamId, name }: Named): string => displayName(name, steamId);

function deathText({ victim, killer, weapon, distance, headshot }: Death): string {
  const died = nameOf(victim);
  if (killer.kind === "self" || isSame(victim, killer)) return `${died} died by their own hand.`;
  if (killer.kind === "environment") return `${died} died.`;
  const by = killerName(killer);
  if (killer.kind !== "player") return `${died} was killed by ${by}.`;
  const word = toPlainText(weapon ?? "", longestWord);
  const withWhat = word === "" ? "" : ` with ${word}`;
  const from = Number.isFinite(distance) ? ` from ${Math.round(Number(distance))} m` : "";
  return `${died} was killed by ${by}${withWhat}${from}${headshot === true ? ", by a headshot" : ""}.`;
}

const isSame = ({ steamId }: Named, killer: Killer): boolean =>
  killer.kind === "player" && killer.steamId === steamId;

const unnamed = {
  player: "another player",
  npc: "an NPC",
  animal: "an animal",
  entity: "a trap or a machine",
} as const;

function killerName({ kind, name, steamId }: Killer): string {
  if (kind === "self" || kind === "environment") return "nobody";
  return toPlainText(name ?? "", longestWord) || (kind === "player" && steamId) || unnamed[kind];
}
