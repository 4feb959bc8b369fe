import type { Rung } from "../../platform/access/roles.ts";
import type { Facts, Push, PushFacts } from "../kinds/kind.ts";
import { findKind, kindNames } from "../kinds/kinds.ts";
import type { Feature } from "../visibility/features.ts";
import { type Fields, show } from "../visibility/view.ts";
import { accessTo, maySeeFor, type Visibility } from "../visibility/visibility.ts";

/** The streams a stored event is for; `none` is kept without being streamed. */
export type EventReach = "public" | "staff" | "none";

export interface ProjectedEvent {
  readonly kind: string;
  readonly reach: EventReach;
  readonly payload: Fields;
}

/**
 * Whether an event can ever reach the public stream. Said once, when it is stored: only then is it
 * known who was linked and at which stage a house stood.
 * @param facts those that are known; one that is not does not hold
 */
export function audienceOf(
  name: string,
  payload: Fields,
  facts: Partial<Facts> = {},
): "public" | "staff" {
  const kind = findKind(name);
  if (!kind?.feature) return "staff";
  const known = { linked: false, wasIdoc: false, ...facts };
  return kind.isPublic?.(payload, known) === false ? "staff" : "public";
}

/** How an event is pushed, if it is; whether it is too old for that is for others to say. */
export function pushOf(name: string, payload: Fields, facts: PushFacts): Push | null {
  const push = findKind(name)?.push;
  return push && push.isNews?.(payload, facts) !== false ? push : null;
}

/**
 * What the public stream carries of an event to a rung; null when it carries nothing.
 * Fields of accounts (`acct`, `ownerAcct`, `webId`, `ip` and the like) stand in no view, so nobody
 * meets them here, admins neither: they have the admin stream.
 */
export function projectEvent(
  { kind: name, reach, payload }: ProjectedEvent,
  rung: Rung,
  visibility: Visibility,
): Fields | null {
  const kind = findKind(name);
  if (!kind?.feature || reach !== "public") return null;
  if (!streamsTo(rung, kind.feature, visibility)) return null;
  return show(kind.view, payload, maySeeFor(visibility, kind.feature, rung));
}

/** The kinds of which the public stream carries anything to a rung. */
export const kindsSeen = (rung: Rung, visibility: Visibility): readonly string[] =>
  kindNames.filter((name) => {
    const feature = findKind(name)?.feature;
    return feature && streamsTo(rung, feature, visibility);
  });

const streamsTo = (rung: Rung, feature: Feature, visibility: Visibility): boolean =>
  visibility[feature].stream && accessTo(visibility, feature, rung) === "open";

/** The admin stream carries a payload as it is stored. */
export const projectForAdmin = ({ payload }: ProjectedEvent): Fields => payload;
