import {
  count,
  field,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { gatedView, listView, plainViews, type PayloadView } from "../visibility/view.ts";
import {
  birchCharacter,
  exampleTime,
  facetNameDescription,
  hourMs,
  epochMsField,
  schemaWithLocation,
  locationView,
  mapleCharacter,
} from "./fields.ts";
import { definePublicKind } from "./kind.ts";

const altar = {
  id: field(serialField(), "Serial of the altar, which identifies the champion spawn."),
  name: field(nullish(text()), "Name of the champion spawn."),
  type: field(nullish(text()), "Type of the spawn in the game, such as `VerminHorde`."),
  group: field(
    nullish(text()),
    "Name of the group to which the altar belongs. Only one altar of a group is active at a time.",
  ),
  map: field(nullish(text()), facetNameDescription),
};

const altarView: PayloadView = {
  ...plainViews("id", "name", "type", "group", "map"),
  location: locationView,
};

const level = field(nullish(count()), "Current level of the spawn, from 0 to 16.");

const damager = objectSchema({
  serial: field(serialField(), "Serial of the character."),
  name: field(nullish(text()), "Name of the character."),
  damage: field(nullish(count()), "Amount of damage that the character dealt to the champion."),
});

const despise = { id: "0x40004D21", name: "Despise", type: "VerminHorde", group: "FelDungeons" };
const location = { map: "Felucca", x: 5557, y: 824, z: 65, region: "Despise" };

export const championKinds = {
  "champ.start": definePublicKind(
    schemaWithLocation({
      ...altar,
      level,
      startLevel: field(nullish(count()), "Level at which the spawn started."),
    }),
    {
      about: "A champion spawn started.",
      example: { ...despise, location, level: 2, startLevel: 2 },
      feature: "champions",
      view: { ...altarView, ...plainViews("level", "startLevel") },
      push: { public: "champ.start", subjectOf: ({ id }) => id },
    },
  ),
  "champ.progress": definePublicKind(
    schemaWithLocation({
      ...altar,
      level,
      rank: field(nullish(count()), "Rank of the creatures that currently spawn, from 0 to 3."),
      kills: field(nullish(count()), "Number of creatures killed in the current level."),
      maxKills: field(
        nullish(count()),
        "Number of creatures that must be killed to complete the current level.",
      ),
      whiteSkulls: field(nullish(count()), "Number of white skulls on the altar, from 0 to 4."),
    }),
    {
      about: "Players killed creatures of a champion spawn, or the spawn reached another level.",
      example: {
        ...despise,
        map: "Felucca",
        level: 6,
        rank: 1,
        kills: 57,
        maxKills: 128,
        whiteSkulls: 2,
      },
      feature: "champions",
      view: { ...altarView, ...plainViews("level", "rank", "kills", "maxKills", "whiteSkulls") },
    },
  ),
  "champ.boss": definePublicKind(
    schemaWithLocation({
      ...altar,
      champion: field(nullish(text()), "Name or type of the boss, which is called the champion."),
      serial: field(nullish(serialField()), "Serial of the champion."),
    }),
    {
      about: "The boss of a champion spawn appeared.",
      example: { ...despise, champion: "Barracoon", serial: "0x00031A00", location },
      feature: "champions",
      view: { ...altarView, ...plainViews("champion", "serial") },
    },
  ),
  "champ.end": definePublicKind(
    schemaWithLocation({
      ...altar,
      outcome: field(text(), "How the spawn ended: `defeated`, `expired` or `stopped`."),
      durationSec: field(
        nullish(count()),
        "Number of seconds from the start to the end of the spawn.",
      ),
      damagers: field(
        nullish(listOf(damager)),
        "Characters who damaged the champion, in descending order of damage.",
      ),
      restartAt: field(
        nullish(epochMsField()),
        "When the spawn starts again, in epoch milliseconds. Null if unknown.",
      ),
    }),
    {
      about: "A champion spawn ended.",
      example: {
        ...despise,
        location,
        outcome: "defeated",
        durationSec: 2_710,
        damagers: [
          { ...mapleCharacter, damage: 9_400 },
          { ...birchCharacter, damage: 3_120 },
        ],
        restartAt: exampleTime + hourMs / 6,
      },
      feature: "champions",
      view: {
        ...altarView,
        ...plainViews("outcome", "durationSec", "restartAt"),
        damagers: gatedView("damagers", listView(plainViews("serial", "name", "damage"))),
      },
    },
  ),
};
