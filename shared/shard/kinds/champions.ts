import { count, field, listOf, maybe, shape, text } from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import { gated, list, plain, type View } from "../visibility/view.ts";
import {
  birch,
  exampleTime,
  facetName,
  hourMs,
  instant,
  located,
  locationView,
  maple,
} from "./fields.ts";
import { publicKind } from "./kind.ts";

const altar = {
  id: field(serial(), "Serial of the altar, which identifies the champion spawn."),
  name: field(maybe(text()), "Name of the champion spawn."),
  type: field(maybe(text()), "Type of the spawn in the game, such as `VerminHorde`."),
  group: field(
    maybe(text()),
    "Name of the group to which the altar belongs. Of a group, only one altar is active at a time.",
  ),
  map: field(maybe(text()), facetName),
};

const altarView: View = { ...plain("id", "name", "type", "group", "map"), location: locationView };

const level = field(maybe(count()), "Current level of the spawn, from 0 to 16.");

const damager = shape({
  serial: field(serial(), "Serial of the character."),
  name: field(maybe(text()), "Name of the character."),
  damage: field(maybe(count()), "Amount of damage that the character dealt to the champion."),
});

const despise = { id: "0x40004D21", name: "Despise", type: "VerminHorde", group: "FelDungeons" };
const location = { map: "Felucca", x: 5557, y: 824, z: 65, region: "Despise" };

export const championKinds = {
  "champ.start": publicKind(
    located({
      ...altar,
      level,
      startLevel: field(maybe(count()), "Level at which the spawn started."),
    }),
    {
      about: "A champion spawn started.",
      example: { ...despise, location, level: 2, startLevel: 2 },
      feature: "champions",
      view: { ...altarView, ...plain("level", "startLevel") },
      push: { public: "champ.start", subjectOf: ({ id }) => id },
    },
  ),
  "champ.progress": publicKind(
    located({
      ...altar,
      level,
      rank: field(maybe(count()), "Rank of the creatures that currently spawn, from 0 to 3."),
      kills: field(maybe(count()), "Number of creatures killed in the current level."),
      maxKills: field(
        maybe(count()),
        "Number of creatures that must be killed to complete the current level.",
      ),
      whiteSkulls: field(maybe(count()), "Number of white skulls on the altar, from 0 to 4."),
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
      view: { ...altarView, ...plain("level", "rank", "kills", "maxKills", "whiteSkulls") },
    },
  ),
  "champ.boss": publicKind(
    located({
      ...altar,
      champion: field(maybe(text()), "Name or type of the boss, which is called the champion."),
      serial: field(maybe(serial()), "Serial of the champion."),
    }),
    {
      about: "The boss of a champion spawn appeared.",
      example: { ...despise, champion: "Barracoon", serial: "0x00031A00", location },
      feature: "champions",
      view: { ...altarView, ...plain("champion", "serial") },
    },
  ),
  "champ.end": publicKind(
    located({
      ...altar,
      outcome: field(text(), "How the spawn ended: `defeated`, `expired` or `stopped`."),
      durationSec: field(
        maybe(count()),
        "Number of seconds from the start to the end of the spawn.",
      ),
      damagers: field(
        maybe(listOf(damager)),
        "Characters who damaged the champion, in descending order of damage.",
      ),
      restartAt: field(
        maybe(instant()),
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
          { ...maple, damage: 9_400 },
          { ...birch, damage: 3_120 },
        ],
        restartAt: exampleTime + hourMs / 6,
      },
      feature: "champions",
      view: {
        ...altarView,
        ...plain("outcome", "durationSec", "restartAt"),
        damagers: gated("damagers", list(plain("serial", "name", "damage"))),
      },
    },
  ),
};
