import {
  count,
  field,
  flag,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { playerAnna, playerBert, coastPosition, exampleTime, minuteMs } from "./example-world.ts";
import {
  int64Field,
  decimal,
  gameName,
  positionFields,
  instantMs,
  playerOrNull,
  playerListSchema,
  programMessage,
} from "./fields.ts";
import { defineEvent, defineState } from "./kind.ts";

const npc = {
  netId: field(int64Field(), "Id of the NPC in the game."),
  profile: field(text(64), "Key of the NPC's profile, as in `PUT /v1/npc/profiles`."),
  placement: field(
    nullish(text(64)),
    "Name of the placement to which the NPC belongs. Null if the NPC belongs to no placement.",
  ),
};
const runId = field(
  nullish(count()),
  "Id of the run of the site's scheduled event for which the NPC was spawned. Null if the NPC " +
    "was not spawned for a run.",
);

const boss = { netId: "40021876", profile: "forest-boss", placement: "Dome boss" };

/** Kinds of frames about NPCs that the game spawned for profiles and placements of the site. */
export const npcKinds = {
  "survival.npc.died": defineEvent(
    "public",
    objectSchema({
      ...npc,
      name: field(nullish(gameName()), "Name of the NPC."),
      boss: field(nullish(flag()), "Whether the profile marks the NPC as a boss."),
      // Null after a fall, or if an object without an owner killed the NPC.
      killer: field(
        nullish(playerOrNull()),
        "Player who killed the NPC. Null if no player killed the NPC.",
      ),
      // Limit the list, because pages show a hundred complete events at a time.
      contributors: field(
        nullish(
          playerListSchema(
            { damage: field(decimal(), "Amount of damage that the player dealt to the NPC.") },
            500,
          ),
        ),
        "Players who damaged the NPC. The site stores at most 500 players.",
      ),
      weapon: field(
        nullish(text(128)),
        "Short name of the weapon in the game, such as `rifle.ak`.",
      ),
      distance: field(nullish(decimal()), "Distance between the killer and the NPC, in meters."),
      ...positionFields,
      alive: field(nullish(count()), "Number of NPCs of the placement that are still alive."),
      runId,
    }),
    {
      about: "An NPC that the game spawned for a profile of the site died.",
      example: {
        ...boss,
        name: "Gregor",
        boss: true,
        killer: playerAnna,
        contributors: [
          { steamId: playerAnna.steamId, damage: 3_200 },
          { steamId: playerBert.steamId, damage: 1_800 },
        ],
        weapon: "rifle.ak",
        distance: 34.5,
        ...coastPosition,
        alive: 0,
        runId: null,
      },
      capability: "npc",
    },
  ),
  "survival.npc.health": defineEvent(
    "internal",
    objectSchema({
      ...npc,
      health: field(decimal(), "Current health of the NPC, in hit points."),
      maxHealth: field(decimal(), "Full health of the NPC, in hit points."),
      percent: field(decimal(), "Current health in percent of the full health."),
      step: field(
        count(),
        "Threshold of the profile's `healthSteps` that the health fell below, in percent.",
      ),
      runId,
    }),
    {
      about: "The health of an NPC fell below a threshold in `healthSteps` of its profile.",
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
  "npc.placements": defineState(
    objectSchema({
      placements: field(
        listOf(
          objectSchema({
            name: field(text(64), "Name of the placement."),
            spawned: field(flag(), "Whether the NPCs of the placement have been spawned."),
            alive: field(count(), "Number of NPCs that are alive."),
            expected: field(count(), "Number of NPCs that should be alive."),
            lastSpawnAt: field(
              nullish(instantMs()),
              "When an NPC last spawned, in epoch milliseconds.",
            ),
            lastDeathAt: field(
              nullish(instantMs()),
              "When an NPC last died, in epoch milliseconds.",
            ),
            problem: field(
              nullish(programMessage(500)),
              "Why NPCs are missing. Null if there is no problem. The site stores the first 500 " +
                "characters.",
            ),
          }),
        ),
        "All placements of the server.",
      ),
    }),
    {
      family: "npcs",
      about:
        "Reports the current state of all placements. Send it when the state of one of them " +
        "changes.",
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
