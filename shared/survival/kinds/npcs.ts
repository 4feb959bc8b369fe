import { count, field, flag, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { anna, bert, coast, exampleTime, minuteMs } from "./example-world.ts";
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

const npc = {
  netId: field(bigId(), "Id of the NPC in the game."),
  profile: field(text(64), "Key of the profile, as the site named it."),
  placement: field(maybe(text(64)), "Name of the placement. Null for none."),
};
const runId = field(maybe(count()), "Run of an event of the site. Null for none.");

const boss = { netId: "40021876", profile: "forest-boss", placement: "Dome boss" };

/** The NPCs that profiles and placements of the site made. */
export const npcKinds = {
  "survival.npc.died": happening(
    "public",
    shape({
      ...npc,
      name: field(maybe(gameName()), "Name of the NPC."),
      boss: field(maybe(flag()), "Whether the profile says that it is a boss."),
      // Nobody where it fell, or was killed by what belongs to nobody.
      killer: field(maybe(playerOrNull()), "Player who killed it. Null for nobody."),
      // Pages show each event whole, a hundred of them at a time.
      contributors: field(
        maybe(playersWith({ damage: field(decimal(), "Damage of the player.") }, 500)),
        "Players who damaged it. The site keeps 500.",
      ),
      weapon: field(maybe(text(128)), "Short name of the weapon."),
      distance: field(maybe(decimal()), "Meters between the killer and the NPC."),
      ...groundFields,
      alive: field(maybe(count()), "NPCs of the placement that are still alive."),
      runId,
    }),
    {
      about: "An NPC of the site died.",
      example: {
        ...boss,
        name: "Gregor",
        boss: true,
        killer: anna,
        contributors: [
          { steamId: anna.steamId, damage: 3_200 },
          { steamId: bert.steamId, damage: 1_800 },
        ],
        weapon: "rifle.ak",
        distance: 34.5,
        ...coast,
        alive: 0,
        runId: null,
      },
      capability: "npc",
    },
  ),
  "survival.npc.health": happening(
    "internal",
    shape({
      ...npc,
      health: field(decimal(), "Health of the NPC now."),
      maxHealth: field(decimal(), "Health of the NPC when it is unhurt."),
      percent: field(decimal(), "Health in percent."),
      step: field(count(), "Step of the profile's `healthSteps` that was crossed, in percent."),
      runId,
    }),
    {
      about: "The health of an NPC fell below a step that its profile names.",
      example: {
        ...boss,
        health: 2_450,
        maxHealth: 5_000,
        percent: 49,
        step: 50,
        runId: null,
      },
      capability: "npc",
    },
  ),
  "npc.placements": standing(
    shape({
      placements: field(
        listOf(
          shape({
            name: field(text(64), "Name of the placement."),
            spawned: field(flag(), "Whether its NPCs have been spawned."),
            alive: field(count(), "NPCs that are alive."),
            expected: field(count(), "NPCs that should be alive."),
            lastSpawnAt: field(maybe(instantMs()), "Last spawn, in epoch milliseconds."),
            lastDeathAt: field(maybe(instantMs()), "Last death, in epoch milliseconds."),
            problem: field(maybe(said(500)), "Why there are none. Null if all is well."),
          }),
        ),
        "All placements of the server.",
      ),
    }),
    {
      family: "npcs",
      about: "How the placements of the site are. Send it when one of them changes.",
      example: {
        placements: [
          {
            name: "Dome boss",
            spawned: true,
            alive: 1,
            expected: 1,
            lastSpawnAt: exampleTime - 5 * minuteMs,
            lastDeathAt: null,
            problem: null,
          },
        ],
      },
      capability: "npc",
    },
  ),
};
