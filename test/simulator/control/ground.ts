import { familyRows, isFamily } from "../world/families.ts";
import { objectBody, texts } from "./input.ts";
import { ok, refuseField } from "./refusal.ts";
import type { ControlRoute, Shard } from "./route.ts";

const withSeven = ["pages", "towncrier", "signup", "links"];
const withEight = ["clilocs", "assets", "atlas", "bodies", ...withSeven, "champions"];

export const capabilitiesOf = (protocol: number): readonly string[] =>
  protocol >= 8 ? withEight : withSeven;

export const groundRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/v1/health",
    since: 7,
    nature: "read",
    alone: true,
    answer: (_, shard) => ok(health(shard)),
  },
  {
    method: "POST",
    path: "/v1/resync",
    since: 7,
    nature: "request",
    answer: ({ body }, { resync }) => {
      const range = { least: 1, most: 16, longest: 64 };
      const families = texts(objectBody(body), "families", range).map((name) => {
        if (!isFamily(name)) throw refuseField("families", `${name} is no family`);
        return name;
      });
      resync.ask(families);
      return { status: 202, body: { families } };
    },
  },
];

const health = ({ protocol, game }: Shard): Record<string, unknown> => ({
  protocol,
  pluginConnected: game.running,
  bootId: game.bootId,
  uptimeSec: Math.floor(game.uptimeMs / 1_000),
  capabilities: capabilitiesOf(protocol),
});

/** A family as it is now: what a mirror that missed nothing holds. */
export const familyNow = ({ world, game }: Pick<Shard, "world" | "game">, name: string): unknown =>
  isFamily(name) ? familyRows(world, name, game.now()) : null;
