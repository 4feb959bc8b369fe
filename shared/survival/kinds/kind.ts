import type Joi from "joi";

/** The audience: everybody; users who may see who is online; staff; or nobody. */
export type KindAudience = "public" | "presence" | "staff" | "internal";

/** The declaration of one kind of frames. */
export interface SurvivalKind<P extends object = object> {
  readonly payload: Joi.ObjectSchema<P>;
  readonly class: KindAudience;
  /** True for an event, which is stored and counted once; false for a state. */
  readonly isEvent: boolean;
  /** One or two sentences for authors of plugins: the meaning of the kind, and when to send it. */
  readonly about: string;
  /** A valid payload. The documentation for authors of plugins shows it, and tests send it. */
  readonly example: P;
  /** The capability that a plugin needs to send the kind. */
  readonly capability?: Capability;
  /** The family by which the site requests this state again. */
  readonly family?: Family;
  /** Fields that may quote secrets. Handlers receive them, but they are not stored with the event. */
  readonly unstored?: readonly string[];
  /** A field added to the event's key, if the game's key names an object that has several events. */
  readonly keyedWith?: string;
}

type PayloadSchema<P extends object> = Joi.ObjectSchema<P>;
type Docs<P extends object> = Pick<SurvivalKind<P>, "about" | "example" | "capability">;
type StateDocs<P extends object> = Docs<P> & Pick<SurvivalKind, "family">;
type KindOptions = Pick<SurvivalKind, "unstored" | "keyedWith">;

export const defineEvent = <P extends object>(
  kindClass: KindAudience,
  payload: PayloadSchema<P>,
  more: Docs<NoInfer<P>> & KindOptions,
): SurvivalKind<P> => ({ payload, class: kindClass, isEvent: true, ...more });

/** Declares a state. Only the last report of a state is stored, in its own table. */
export const defineState = <P extends object>(
  payload: PayloadSchema<P>,
  docs: StateDocs<NoInfer<P>>,
): SurvivalKind<P> => ({
  payload,
  class: "internal",
  isEvent: false,
  ...docs,
});

/** Capabilities that a plugin may list in its hello. */
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
  | "integrations"
  | "moderation";

/** States that the site can request from a game server. */
export const stateFamilies = [
  "server",
  "players",
  "tallies",
  "clans",
  "map",
  "permissions",
  "npcs",
] as const;

type Family = (typeof stateFamilies)[number];
