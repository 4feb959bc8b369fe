import { valueAt } from "../../../parts/specs.ts";
import { words } from "../../../words/words.ts";

interface AnyEvent {
  readonly kind: string;
  readonly payload: object;
}

type Describe = (payload: object) => string;

const textAt = (payload: object, name: string): string => {
  const value = valueAt(payload, name);
  return typeof value === "string" ? value : "";
};

const nameOf: Describe = (payload) => textAt(payload, "name") || textAt(payload, "steamId");

const describeDeath: Describe = (payload) => {
  const victim = textAt(payload, "victim.name") || textAt(payload, "victim.steamId");
  const killer =
    textAt(payload, "killer.name") ||
    textAt(payload, "killer.profile") ||
    textAt(payload, "killer.prefab") ||
    textAt(payload, "killer.kind");
  return words.survival.events.death(victim, killer, textAt(payload, "weapon"));
};

const describers: Readonly<Record<string, Describe>> = {
  "player.chat": (payload) => `${nameOf(payload)}: ${textAt(payload, "message")}`,
  "player.joined": nameOf,
  "player.left": nameOf,
  "player.respawned": nameOf,
  "player.died": describeDeath,
};

/** Describes an event for people. For a kind without a description, returns the stored payload as JSON. */
export const describeEvent = ({ kind, payload }: AnyEvent): string =>
  describers[kind]?.(payload) ?? JSON.stringify(payload);
