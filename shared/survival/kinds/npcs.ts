import { count, flag, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import {
  bigId,
  decimal,
  gameName,
  groundFields,
  instantMs,
  playerOrNull,
  playersWith,
  said,
} from "./fields.ts";
import { happening, standing } from "./kind.ts";

const npc = { netId: bigId(), profile: text(64), placement: maybe(text(64)) };

/** The NPCs that profiles and placements of the site made. */
export const npcKinds = {
  "survival.npc.died": happening(
    "public",
    shape({
      ...npc,
      name: maybe(gameName()),
      boss: maybe(flag()),
      // Nobody where it fell, or was killed by what belongs to nobody.
      killer: maybe(playerOrNull()),
      // Pages show each event whole, a hundred of them at a time.
      contributors: maybe(playersWith({ damage: decimal() }, 500)),
      weapon: maybe(text(128)),
      distance: maybe(decimal()),
      ...groundFields,
      alive: maybe(count()),
      runId: maybe(count()),
    }),
  ),
  "survival.npc.health": happening(
    "internal",
    shape({
      ...npc,
      health: decimal(),
      maxHealth: decimal(),
      percent: decimal(),
      step: count(),
      runId: maybe(count()),
    }),
  ),
  "npc.placements": standing(
    shape({
      placements: listOf(
        shape({
          name: text(64),
          spawned: flag(),
          alive: count(),
          expected: count(),
          lastSpawnAt: maybe(instantMs()),
          lastDeathAt: maybe(instantMs()),
          problem: maybe(said(500)),
        }),
      ),
    }),
  ),
};
