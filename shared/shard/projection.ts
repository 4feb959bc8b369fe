import type { Rung } from "../auth/roles.ts";
import type { Feature } from "./features.ts";
import { findKind, kindNames } from "./kinds.ts";
import type { Facts, Push } from "./kinds/kind.ts";
import { type Fields, show } from "./view.ts";
import { mayReach, seesFor, type Visibility } from "./visibility.ts";

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
 */
export function audienceOf(name: string, payload: Fields, facts: Facts): "public" | "staff" {
  const kind = findKind(name);
  if (!kind?.feature) return "staff";
  return kind.isPublic?.(payload, facts) === false ? "staff" : "public";
}

/** The push streams of an event, if any; whether it is news is for ingest to say. */
export function pushOf(name: string, payload: Fields): Push | null {
  const kind = findKind(name);
  if (!kind?.push || kind.isPushed?.(payload) === false) return null;
  return kind.push;
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
  return show(kind.view, payload, seesFor(visibility, kind.feature, rung));
}

/** The kinds of which the public stream carries anything to a rung. */
export const kindsSeen = (rung: Rung, visibility: Visibility): readonly string[] =>
  kindNames.filter((name) => {
    const feature = findKind(name)?.feature;
    return feature && streamsTo(rung, feature, visibility);
  });

const streamsTo = (rung: Rung, feature: Feature, visibility: Visibility): boolean =>
  visibility[feature].stream && mayReach(visibility, feature, rung) === "open";

/** The admin stream carries a payload as it is stored. */
export const projectForAdmin = ({ payload }: ProjectedEvent): Fields => payload;
