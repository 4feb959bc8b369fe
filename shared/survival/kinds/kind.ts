import type Joi from "joi";

/**
 * Who may see what a kind tells: everybody; the presence audience, for what tells who is on a
 * server; staff; or nobody, for what only feeds our own tables.
 */
export type KindClass = "public" | "presence" | "staff" | "internal";

/** One declared kind of a survival server's frames. */
export interface SurvivalKind<P extends object = object> {
  readonly payload: Joi.ObjectSchema<P>;
  readonly class: KindClass;
  /** Whether it is something that happened, which is stored and counts once; else it is a state. */
  readonly isEvent: boolean;
  /** One or two sentences for people who write a plugin: what happened, and when to send it. */
  readonly about: string;
  /** A payload that is taken as it is. People who write a plugin read it, and tests send it. */
  readonly example: P;
  /** What a plugin that sends it says it can do. */
  readonly capability?: Capability;
  /** The family of states that a resync asks for, which it belongs to. */
  readonly family?: Family;
  /** Fields that may quote secrets: they are handed on, and not stored with the event. */
  readonly unstored?: readonly string[];
  /**
   * A field that belongs to an event's key: the game's key names a thing alone that comes again, and
   * each of its events counts.
   */
  readonly keyedWith?: string;
}

type PayloadSchema<P extends object> = Joi.ObjectSchema<P>;
type Docs<P extends object> = Pick<SurvivalKind<P>, "about" | "example" | "capability">;
type StateDocs<P extends object> = Docs<P> & Pick<SurvivalKind, "family">;
type Marks = Pick<SurvivalKind, "unstored" | "keyedWith">;

/** Something that happened. */
export const happening = <P extends object>(
  kindClass: KindClass,
  payload: PayloadSchema<P>,
  more: Docs<NoInfer<P>> & Marks,
): SurvivalKind<P> => ({ payload, class: kindClass, isEvent: true, ...more });

/** How something stands: it is kept in a table of its own, the last one alone. */
export const standing = <P extends object>(
  payload: PayloadSchema<P>,
  docs: StateDocs<NoInfer<P>>,
): SurvivalKind<P> => ({
  payload,
  class: "internal",
  isEvent: false,
  ...docs,
});

/** What a bridge plugin may be able to do, by the names of its hello. */
export type Capability =
  | "map"
  | "perm"
  | "npc"
  | "zones"
  | "kits"
  | "participation"
  | "titles"
  | "voice"
  | "announce"
  | "config"
  | "link"
  | "integrations";

/** What a game server can be asked to say again. */
export const families = [
  "server",
  "players",
  "tallies",
  "clans",
  "map",
  "permissions",
  "npcs",
] as const;

type Family = (typeof families)[number];
