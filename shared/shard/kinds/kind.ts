import type Joi from "joi";

import type { PersonalPushStream, PublicPushStream } from "../../facts/streams.ts";
import { type Feature, features } from "../visibility/features.ts";
import { type PayloadFields, listViewGates, type PayloadView } from "../visibility/view.ts";
import type { StateName } from "./live-states.ts";

/** Facts that the payload does not contain. Some kinds are public only if a fact is true. */
export interface EventAudienceContext {
  /** True if the character's account is linked to a user of the site. */
  readonly linked: boolean;
  /** True if the house was at the IDOC stage when the event arrived. */
  readonly wasIdoc: boolean;
}

/**
 * The effect of a kind on a live state. `upsert`: the payload replaces the stored state, unless both are equal
 * apart from `t`. `merge`: the payload adds to the stored state. `remove`: the payload ends an object. `begin`,
 * `page` and `end` form a snapshot.
 */
interface Feed {
  readonly state: StateName;
  readonly as: "upsert" | "merge" | "remove" | "begin" | "page" | "end";
  /** Reads the facts that `isPublic` needs from the state of the removed object. */
  readonly factsOf?: (removed: PayloadFields) => Partial<EventAudienceContext>;
}

export interface PushRule<P extends object = object> {
  readonly public?: PublicPushStream;
  /** Set to push to the users who linked the game account. `owner` is the payload field with that account. */
  readonly personal?: { readonly stream: PersonalPushStream; readonly owner: string };
  /**
   * Returns the subject of the message; by default the id of the stored event. Relays and lock screens
   * show it, so it must not be an account, a person, an address or a price.
   */
  subjectOf?(this: void, payload: P): string;
  /** Returns true if the event is pushed. Without this function, all events of the kind are pushed. */
  isPushed?(this: void, payload: P, facts: PushRuleContext): boolean;
  /** Returns true if `isPushed` needs the facts for this payload. */
  needsFacts?(this: void, payload: P): boolean;
  /** Returns a key; events with equal keys are pushed once. Without this function each event is pushed. */
  dedupeKeyOf?(this: void, payload: P): string;
}

/** Facts about the state as it was before the event changed it. */
export type PushRuleContext = Pick<EventAudienceContext, "wasIdoc">;

export interface ShardKind<P extends object = object> {
  readonly payload: Joi.ObjectSchema<P>;
  /** One or two sentences for plugin authors: what the event reports, and when to send it. */
  readonly about: string;
  /** A payload that is stored exactly as it is sent. Plugin authors read it, and tests send it. */
  readonly example: P;
  /** The feature whose audience may see the event; null if only the admin stream carries it. */
  readonly feature: Feature | null;
  /** The fields that the public stream carries. */
  readonly view: PayloadView;
  /** Returns true if the event may be public. Without this function all events of the kind may be public. */
  isPublic?(this: void, payload: P, facts: EventAudienceContext): boolean;
  /** The live state that `isPublic` reads, as the state is when the event arrives. */
  readonly restsOn?: StateName;
  readonly feeds?: Feed;
  readonly push?: PushRule<P>;
}

type SharedKindOptions<P extends object> = Pick<
  ShardKind<P>,
  "about" | "example" | "feeds" | "push"
>;
type PublicKindOptions<P extends object> = Pick<ShardKind<P>, "isPublic" | "restsOn" | "view"> & {
  readonly feature: Feature;
};

export const defineStaffKind = <P extends object>(
  payload: Joi.ObjectSchema<P>,
  rest: SharedKindOptions<NoInfer<P>>,
): ShardKind<P> => ({ payload, feature: null, view: {}, ...rest });

/**
 * Declares a kind of events that callers may see if the feature's audience permits it.
 * @throws if `view` has a rule for a field that `fieldRules` of the feature does not list
 */
export function definePublicKind<P extends object>(
  payload: Joi.ObjectSchema<P>,
  rest: PublicKindOptions<NoInfer<P>> & SharedKindOptions<NoInfer<P>>,
): ShardKind<P> {
  const unknown = listViewGates(rest.view).find(
    (gate) => !(gate in features[rest.feature].fieldRules),
  );
  if (unknown) throw new Error(`the feature ${rest.feature} has no rule for the field ${unknown}`);
  return { payload, ...rest };
}
