import type { Rung } from "../../platform/access/roles.ts";
import type { EventAudienceContext, PushRule, PushRuleContext } from "../kinds/kind.ts";
import { findShardKind, kindNames } from "../kinds/kinds.ts";
import type { Feature } from "../visibility/features.ts";
import { type PayloadFields, pickVisibleFields } from "../visibility/view.ts";
import { findFeatureAccess, createFieldCheck, type Visibility } from "../visibility/visibility.ts";

/** The streams for a stored event; an event with `none` is stored and not streamed. */
export type EventReach = "public" | "staff" | "none";

export interface ProjectedEvent {
  readonly kind: string;
  readonly reach: EventReach;
  readonly payload: PayloadFields;
}

/**
 * Returns "public" if an event may be sent on the public stream. Call it when the event is stored, because the
 * result depends on the account links and the house's stage at that time.
 * @param facts the known facts; an unknown fact is taken as false
 */
export function decideReach(
  name: string,
  payload: PayloadFields,
  facts: Partial<EventAudienceContext> = {},
): "public" | "staff" {
  const kind = findShardKind(name);
  if (!kind?.feature) return "staff";
  const known = { linked: false, wasIdoc: false, ...facts };
  return kind.isPublic?.(payload, known) === false ? "staff" : "public";
}

/**
 * Returns the rule for the push message of an event; null if no message is sent. It does not check the event's
 * age.
 */
export function findPushRule(
  name: string,
  payload: PayloadFields,
  facts: PushRuleContext,
): PushRule | null {
  const push = findShardKind(name)?.push;
  return push && push.isPushed?.(payload, facts) !== false ? push : null;
}

/**
 * Returns the fields of an event that the public stream sends to an access level; null if it sends nothing. No
 * view contains fields of accounts (`acct`, `ownerAcct`, `webId`, `ip` and similar). Admins receive these fields
 * on the admin stream.
 */
export function projectEvent(
  { kind: name, reach, payload }: ProjectedEvent,
  rung: Rung,
  visibility: Visibility,
): PayloadFields | null {
  const kind = findShardKind(name);
  if (!kind?.feature || reach !== "public") return null;
  if (!isStreamedTo(rung, kind.feature, visibility)) return null;
  return pickVisibleFields(kind.view, payload, createFieldCheck(visibility, kind.feature, rung));
}

/** Returns the kinds that the public stream sends to an access level. */
export const listVisibleKinds = (rung: Rung, visibility: Visibility): readonly string[] =>
  kindNames.filter((name) => {
    const feature = findShardKind(name)?.feature;
    return feature && isStreamedTo(rung, feature, visibility);
  });

const isStreamedTo = (rung: Rung, feature: Feature, visibility: Visibility): boolean =>
  visibility[feature].stream && findFeatureAccess(visibility, feature, rung) === "open";

export const projectEventForAdmin = ({ payload }: ProjectedEvent): PayloadFields => payload;
