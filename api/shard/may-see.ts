import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Feature } from "../../shared/shard/visibility/features.ts";
import type { FieldAccessCheck } from "../../shared/shard/visibility/view.ts";
import { createFieldCheck } from "../../shared/shard/visibility/visibility.ts";
import type { ApiContext } from "../context.ts";

/** Returns a function that tells which fields of a feature the caller may see. */
export const createCallerFieldCheck = (
  feature: Feature,
  caller: Caller | null,
  context: ApiContext,
): FieldAccessCheck =>
  createFieldCheck(context.visibility.current, feature, caller?.rung ?? "anonymous");
