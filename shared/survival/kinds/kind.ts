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
  /** Fields that may quote secrets: they are handed on, and not stored with the event. */
  readonly unstored?: readonly string[];
  /**
   * A field that belongs to an event's key: the game's key names a thing alone that comes again, and
   * each of its events counts.
   */
  readonly keyedWith?: string;
}

type PayloadSchema<P extends object> = Joi.ObjectSchema<P>;

/** Something that happened. */
export const happening = <P extends object>(
  kindClass: KindClass,
  payload: PayloadSchema<P>,
  more: Pick<SurvivalKind, "unstored" | "keyedWith"> = {},
): SurvivalKind<P> => ({ payload, class: kindClass, isEvent: true, ...more });

/** How something stands: it is kept in a table of its own, the last one alone. */
export const standing = <P extends object>(payload: PayloadSchema<P>): SurvivalKind<P> => ({
  payload,
  class: "internal",
  isEvent: false,
});
