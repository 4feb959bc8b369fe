import type { EventSpec } from "./spec.ts";

/** The spec of a version: it was completed when it was stored. */
export const specOf = ({ spec }: { readonly spec: object }): EventSpec => spec as EventSpec;
