import type Joi from "joi";

import type { PersonalPushStream, PublicPushStream } from "../../facts/streams.ts";
import { type Feature, features } from "../visibility/features.ts";
import { type Fields, gatesOf, type View } from "../visibility/view.ts";
import type { StateName } from "./live-states.ts";

/** What ingest knows besides the payload, for kinds that go public only under a condition. */
export interface Facts {
  /** The character's account is linked to a user of the site. */
  readonly linked: boolean;
  /** The house stood at the IDOC stage when the event came. */
  readonly wasIdoc: boolean;
}

/**
 * What a kind does to a live state. `upsert`: the payload is the new state, compared without `t`
 * with what is stored. `merge`: it adds to what is known. `remove`: it ends a thing. The rest are
 * the parts of a snapshot.
 */
interface Feed {
  readonly state: StateName;
  readonly as: "upsert" | "merge" | "remove" | "begin" | "page" | "end";
  /** The facts that the removed thing's state says; `isPublic` is asked with them. */
  readonly factsOf?: (removed: Fields) => Partial<Facts>;
}

/** The push streams an event goes to. */
export interface Push<P extends object = object> {
  readonly public?: PublicPushStream;
  /** Owner-keyed: for whoever has the game account linked that the payload's `owner` field names. */
  readonly personal?: { readonly stream: PersonalPushStream; readonly owner: string };
  /**
   * What the message names; without it the stored event, by its id. Relays and lock screens see it:
   * it is never an account, a person, an address or a price.
   */
  refOf?(this: void, payload: P): string;
  /** Whether this one is pushed; without it all of the kind are. */
  isNews?(this: void, payload: P, facts: PushFacts): boolean;
  /** Whether `isNews` needs the facts to say so. */
  asksFacts?(this: void, payload: P): boolean;
  /** What makes two events one piece of news; without it each is its own. */
  newsOf?(this: void, payload: P): string;
}

/** What is known of the state that an event meets, before it moves it. */
export type PushFacts = Pick<Facts, "wasIdoc">;

/** One declared kind of shard event. */
export interface Kind<P extends object = object> {
  readonly payload: Joi.ObjectSchema<P>;
  /** One or two sentences for people who write a plugin: what happened, and when to send the event. */
  readonly about: string;
  /** A payload that is stored as it is sent. People who write a plugin read it, and tests send it. */
  readonly example: P;
  /** The feature whose audience reaches it; null for what only the admin stream carries. */
  readonly feature: Feature | null;
  /** What of the payload the public stream carries. */
  readonly view: View;
  /** Whether this one may go public; without it all of the kind may. */
  isPublic?(this: void, payload: P, facts: Facts): boolean;
  /** The state that `isPublic` asks, as the event met it. */
  readonly restsOn?: StateName;
  readonly feeds?: Feed;
  readonly push?: Push<P>;
}

type Shared<P extends object> = Pick<Kind<P>, "about" | "example" | "feeds" | "push">;
type Open<P extends object> = Pick<Kind<P>, "isPublic" | "restsOn" | "view"> & {
  readonly feature: Feature;
};

/** A kind that only the admin stream carries. */
export const staffKind = <P extends object>(
  payload: Joi.ObjectSchema<P>,
  rest: Shared<NoInfer<P>>,
): Kind<P> => ({ payload, feature: null, view: {}, ...rest });

/**
 * A kind that the public stream carries to the feature's audience. Its view says which fields are
 * gated, and each by a rule of the feature.
 */
export function publicKind<P extends object>(
  payload: Joi.ObjectSchema<P>,
  rest: Open<NoInfer<P>> & Shared<NoInfer<P>>,
): Kind<P> {
  const unknown = gatesOf(rest.view).find((gate) => !(gate in features[rest.feature].fieldRules));
  if (unknown) throw new Error(`the feature ${rest.feature} has no rule for the field ${unknown}`);
  return { payload, ...rest };
}
