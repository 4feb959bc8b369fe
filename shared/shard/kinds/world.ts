import Joi from "joi";

import {
  count,
  countsByName,
  field,
  flag,
  key,
  listOf,
  maybe,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { counts, either, list, object, plain, value, values } from "../visibility/view.ts";
import { exampleTime, hourMs, instant } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";

const rulesetNumbers = {
  skillCap: field(maybe(count()), "Maximum value of a single skill, in tenths of a point."),
  totalSkillCap: field(
    maybe(count()),
    "Maximum value of all skills together, in tenths of a point.",
  ),
  statCap: field(maybe(count()), "Maximum of strength, dexterity and intelligence together."),
  accountsPerIp: field(maybe(count()), "Maximum number of game accounts for one IP address."),
  houseLimit: field(maybe(count()), "Maximum number of houses that one game account may own."),
  youngHours: field(maybe(count()), "Number of hours for which a new player is protected."),
  restartHour: field(maybe(count()), "Hour of the daily restart, by the game server's clock."),
  vendorMaxPrice: field(
    maybe(count()),
    "Highest price that a player vendor may ask for an item, in gold.",
  ),
};

const rulesetWords = {
  expansion: field(maybe(text()), "Expansion of the game, such as `EJ`."),
  signupMode: field(
    maybe(text()),
    "Where players can create game accounts: `website` (on the site), `game` (in the game), " +
      "`hybrid` (both) or `disabled` (nowhere).",
  ),
  vvv: field(maybe(flag()), "Whether the faction war Vice versus Virtue is on."),
  siege: field(maybe(flag()), "Whether the rules of Siege Perilous apply."),
  champions: field(
    maybe(
      Joi.alternatives<boolean | object[]>(
        flag(),
        listOf(
          shape({
            name: field(text(), "Name of the champion spawn."),
            type: field(maybe(text()), "Type of the spawn in the game."),
          }),
        ),
      ),
    ),
    "Whether the shard has champion spawns, or a list of them.",
  ),
};

const facet = shape({
  name: field(text(), "Name of the facet."),
  rules: field(maybe(text()), "Rules of the facet, such as `FeluccaRules`."),
});

const decay = shape({
  type: field(maybe(text()), "How houses decay, such as `Dynamic`."),
  periods: field(
    maybe(Joi.alternatives<object | string[]>(countsByName(), listOf(text()))),
    "Stages of decay: either a list of their names, or an object with the duration of each stage " +
      "in seconds, by the name of the stage.",
  ),
});

const id = field(key(), "Id of the entry, made up by the plugin.");
const scope = field(maybe(text()), "Where town criers call the entry: `global` or `city`.");

/** Events about the rules of the shard, broadcasts and town criers. */
export const worldKinds = {
  "world.ruleset": publicKind(
    shape({
      ...rulesetNumbers,
      ...rulesetWords,
      maps: field(maybe(listOf(facet)), "Facets of the shard."),
      decay: field(maybe(decay), "How houses decay."),
    }),
    {
      about: "Reports the rules of the shard. Send it after each start, and when a rule changes.",
      example: {
        expansion: "EJ",
        maps: [
          { name: "Felucca", rules: "FeluccaRules" },
          { name: "Felucca(Hard)", rules: "FeluccaRules" },
        ],
        skillCap: 1_000,
        totalSkillCap: 7_000,
        statCap: 225,
        accountsPerIp: 1,
        houseLimit: 1,
        decay: { type: "Dynamic", periods: { LikeNew: 3_600, IDOC: 64_800 } },
        signupMode: "hybrid",
        vvv: true,
        siege: false,
        youngHours: 40,
        restartHour: 5,
        vendorMaxPrice: 175_000_000,
        champions: true,
      },
      feature: "ruleset",
      view: {
        ...plain(...Object.keys(rulesetNumbers), ...Object.keys(rulesetWords)),
        champions: either(value, list(plain("name", "type"))),
        maps: list(plain("name", "rules")),
        decay: object({ type: value, periods: either(counts, values) }),
      },
      feeds: { state: "ruleset", as: "upsert" },
    },
  ),
  "world.map.changed": staffKind(
    shape({
      maps: field(
        listOf(Joi.alternatives<string | object>(text(), facet)),
        "All facets that the shard has now: each as a name, or as an object with its rules.",
      ),
    }),
    {
      about: "The set of the shard's facets changed.",
      example: { maps: ["Felucca", "Trammel", "Sosaria"] },
    },
  ),
  "world.broadcast": publicKind(
    shape({
      text: field(text(4_000), "Text of the message."),
      hue: field(maybe(count()), "Color number (hue) of the text."),
      access: field(
        maybe(text()),
        "Lowest access level that sees the message in the game. Only if it is `Player`, the " +
          "public sees the event.",
      ),
    }),
    {
      about: "The game showed a message to everyone in the world.",
      example: { text: "The gates open at dusk.", hue: 1_154, access: "Player" },
      feature: "announcements",
      // The game also broadcasts messages to staff only, such as those of a world save.
      isPublic: ({ access }) => access === "Player",
      view: plain("text", "hue"),
    },
  ),
  "towncrier.added": publicKind(
    shape({
      id,
      lines: field(listOf(text()), "Lines that the town criers call."),
      expiresAt: field(
        maybe(instant()),
        "When the town criers stop calling the entry, in epoch milliseconds.",
      ),
      scope,
    }),
    {
      about: "The town criers began to call a new entry.",
      example: {
        id: "crier-4",
        lines: ["Hear ye!", "Iron is wanted at the forge."],
        expiresAt: exampleTime + 24 * hourMs,
        scope: "global",
      },
      feature: "announcements",
      view: { ...plain("id", "expiresAt", "scope"), lines: values },
    },
  ),
  "towncrier.removed": publicKind(shape({ id, scope }), {
    about: "The town criers stopped calling an entry.",
    example: { id: "crier-4", scope: "global" },
    feature: "announcements",
    view: plain("id", "scope"),
  }),
};
