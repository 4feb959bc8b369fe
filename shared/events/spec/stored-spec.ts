import { literal } from "sequelize";

import type { EventSpec } from "./spec.ts";

/** The spec of a version: it was completed when it was stored. */
export const specOf = ({ spec }: { readonly spec: object }): EventSpec => spec as EventSpec;

type Timing = Pick<EventSpec, "schedule" | "scope">;

/**
 * The attribute `spec` of a version that is joined under a name, with nothing but when and where the
 * event takes place: lists read it of many versions, and a whole spec may be large.
 */
export const timingOnly = (joined: string): [ReturnType<typeof literal>, string] => [
  literal(
    `jsonb_build_object('schedule', "${joined}"."spec" -> 'schedule',
      'scope', "${joined}"."spec" -> 'scope')`,
  ),
  "spec",
];

/** When and where an event takes place, by a version that was read whole or so. */
export const timingOf = ({ spec }: { readonly spec: object }): Timing => spec as Timing;
