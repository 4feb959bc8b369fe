import type { Caller } from "../../shared/auth/caller.ts";
import type { Feature } from "../../shared/shard/features.ts";
import type { Sees } from "../../shared/shard/view.ts";
import { seesFor } from "../../shared/shard/visibility.ts";
import type { ApiContext } from "../context.ts";

/** Which gated fields of a feature the caller sees. */
export const seesOf = (feature: Feature, caller: Caller | null, context: ApiContext): Sees =>
  seesFor(context.visibility.current, feature, caller?.rung ?? "anonymous");
