import { familyRows, isFamily } from "../world/families.ts";
import { healthRoute, resyncRoute } from "./ground-routes.ts";
import type { ControlRoute, Shard } from "./route.ts";

const withSeven = ["pages", "towncrier", "signup", "links"];
const withEight = ["clilocs", "assets", "atlas", "bodies", ...withSeven, "champions"];

export const capabilitiesOf = (protocol: number): readonly string[] =>
  protocol >= 8 ? withEight : withSeven;

export const groundRoutes: readonly ControlRoute[] = [
  healthRoute(7, capabilitiesOf),
  resyncRoute(7, isFamily),
];

/** Returns the present rows of a family. A client that got all events has the same rows. */
export const readFamilyRows = (
  { world, game }: Pick<Shard, "world" | "game">,
  name: string,
): unknown => (isFamily(name) ? familyRows(world, name, game.now()) : null);
