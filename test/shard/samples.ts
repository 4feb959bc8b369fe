import { type ShardKindName, kinds, type ShardPayload } from "../../shared/shard/kinds/kinds.ts";

/** The example payload of each kind, with realistic values in stored form. */
export const samples = Object.fromEntries(
  Object.entries(kinds).map(([name, { example }]) => [name, example]),
) as { readonly [Name in ShardKindName]: ShardPayload<Name> };
