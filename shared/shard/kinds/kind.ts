import type Joi from "joi";

import type { Feature } from "../features.ts";
import type { View } from "../view.ts";

/** What ingest knows beside the payload and a kind's going public may depend on. */
export interface Facts {
  /** The character's account is linked to a user of the site. */
  readonly linked: boolean;
  /** The house stood at the IDOC stage when the event came. */
  readonly wasIdoc: boolean;
}

export type StateName =
  | "presence"
  | "economy"
  | "ruleset"
  | "house"
  | "market"
  | "points"
  | "guild"
  | "governor"
  | "links";

/**
 * What a kind does to a state of ours. `upsert`: the payload is the new state, compared without
 * `t` with what is stored. `change`: an event that moves it. The rest are the parts of a snapshot.
 */
interface Feed {
  readonly state: StateName;
  readonly as: "upsert" | "change" | "begin" | "page" | "end";
}

type PublicPushStream = "server.status" | "idoc.warning" | "champ.start" | "governor.election";
type PersonalPushStream = "vendor.sale" | "house.idoc" | "account.login";

/** The push streams an event goes to. */
export interface Push {
  readonly public?: PublicPushStream;
  /** Owner-keyed: for whoever has the game account linked that the payload's `owner` field names. */
  readonly personal?: { readonly stream: PersonalPushStream; readonly owner: string };
}

/** One declared kind of shard event. */
export interface Kind<P extends object = object> {
  readonly payload: Joi.ObjectSchema<P>;
  /** The feature whose audience reaches it; null for what only the admin stream carries. */
  readonly feature: Feature | null;
  /** What of the payload the public stream carries. */
  readonly view: View;
  /** Whether this one may go public; without it all of the kind may. */
  isPublic?(this: void, payload: P, facts: Facts): boolean;
  readonly feeds?: Feed;
  readonly push?: Push;
  /** Whether this one is pushed; without it all of the kind are. */
  isPushed?(this: void, payload: P): boolean;
}

type Shared<P extends object> = Pick<Kind<P>, "feeds" | "push" | "isPushed">;
type Open<P extends object> = Pick<Kind<P>, "isPublic" | "view"> & { readonly feature: Feature };

/** A kind that only the admin stream carries. */
export const staffKind = <P extends object>(
  payload: Joi.ObjectSchema<P>,
  rest: Shared<NoInfer<P>> = {},
): Kind<P> => ({ payload, feature: null, view: {}, ...rest });

/** A kind that the public stream carries to the feature's audience. */
export const publicKind = <P extends object>(
  payload: Joi.ObjectSchema<P>,
  rest: Open<NoInfer<P>> & Shared<NoInfer<P>>,
): Kind<P> => ({ payload, ...rest });
