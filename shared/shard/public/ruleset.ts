import type { Context } from "../../platform/context.ts";
import { findKind } from "../kinds/kinds.ts";
import { type Fields, show } from "../visibility/view.ts";

/** The world's rules as they are published; null while the shard never published them. */
export async function readRuleset({ models }: Context): Promise<Fields | null> {
  const fact = await models.ShardFact.findByPk("ruleset", { attributes: ["value"], raw: true });
  if (!fact) return null;
  const view = findKind("world.ruleset")?.view ?? {};
  return show(view, fact.value as Fields, () => false);
}
