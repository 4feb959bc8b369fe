import Joi from "joi";

import {
  count,
  countsByName,
  field,
  flag,
  rowKey,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import {
  countsView,
  alternativeView,
  listView,
  objectView,
  plainViews,
  valueView,
  valuesView,
} from "../visibility/view.ts";
import { exampleTime, hourMs, epochMsField } from "./fields.ts";
import { definePublicKind, defineStaffKind } from "./kind.ts";

const rulesetNumbers = {
  skillCap: field(nullish(count()), "Maximum value of a single skill, in tenths of a point."),
  totalSkillCap: field(
    nullish(count()),
    "Maximum value of all skills together, in tenths of a point.",
  ),
  statCap: field(nullish(count()), "Maximum of strength, dexterity and intelligence together."),
  accountsPerIp: field(nullish(count()), "Maximum number of game accounts for one IP address."),
  houseLimit: field(nullish(count()), "Maximum number of houses that one game account may own."),
  youngHours: field(nullish(count()), "Number of hours for which a new player is protected."),
  restartHour: field(nullish(count()), "Hour of the daily restart, by the game server's clock."),
  vendorMaxPrice: field(
    nullish(count()),
    "Highest price that a player vendor may ask for an item, in gold.",
  ),
};

const rulesetWords = {
  expansion: field(nullish(text()), "Expansion of the game, such as `EJ`."),
  signupMode: field(
    nullish(text()),
    "Where players can create game accounts: `website` (on the site), `game` (in the game), " +
      "`hybrid` (both) or `disabled` (nowhere).",
  ),
  vvv: field(nullish(flag()), "Whether the faction war Vice versus Virtue is on."),
  siege: field(nullish(flag()), "Whether the rules of Siege Perilous apply."),
  champions: field(
    nullish(
      Joi.alternatives<boolean | object[]>(
        flag(),
        listOf(
          objectSchema({
            name: field(text(), "Name of the champion spawn."),
            type: field(nullish(text()), "Type of the spawn in the game."),
          }),
        ),
      ),
    ),
    "Champion spawns of the shard: either a list of them, or only whether there are any (`true` " +
      "or `false`).",
  ),
};

const facet = objectSchema({
  name: field(text(), "Name of the facet."),
  rules: field(nullish(text()), "Rules of the facet, such as `FeluccaRules`."),
});

const decay = objectSchema({
  type: field(nullish(text()), "How houses decay, such as `Dynamic`."),
  periods: field(
    nullish(Joi.alternatives<object | string[]>(countsByName(), listOf(text()))),
    "Stages of decay: either a list of their names, or an object with the duration of each stage " +
      "in seconds, by the name of the stage.",
  ),
});

const id = field(rowKey(), "Id of the entry, made up by the plugin.");
const scope = field(nullish(text()), "Where town criers call the entry: `global` or `city`.");

/** Events about the rules of the shard, broadcasts and town criers. */
export const worldKinds = {
  "world.ruleset": definePublicKind(
    objectSchema({
      ...rulesetNumbers,
      ...rulesetWords,
      maps: field(nullish(listOf(facet)), "Facets of the shard."),
      decay: field(nullish(decay), "How houses decay."),
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
        ...plainViews(...Object.keys(rulesetNumbers), ...Object.keys(rulesetWords)),
        champions: alternativeView(valueView, listView(plainViews("name", "type"))),
        maps: listView(plainViews("name", "rules")),
        decay: objectView({ type: valueView, periods: alternativeView(countsView, valuesView) }),
      },
      feeds: { state: "ruleset", as: "upsert" },
    },
  ),
  "world.map.changed": defineStaffKind(
    objectSchema({
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
  "world.broadcast": definePublicKind(
    objectSchema({
      text: field(text(4_000), "Text of the message."),
      hue: field(nullish(count()), "Color number (hue) of the text."),
      access: field(
        nullish(text()),
        "Lowest access level that sees the message in the game. The public sees the event only " +
          "if this level is `Player`.",
      ),
    }),
    {
      about: "The game showed a message to everyone in the world.",
      example: { text: "The gates open at dusk.", hue: 1_154, access: "Player" },
      feature: "announcements",
      // The game also broadcasts messages to staff only, such as those of a world save.
      isPublic: ({ access }) => access === "Player",
      view: plainViews("text", "hue"),
    },
  ),
  "towncrier.added": definePublicKind(
    objectSchema({
      id,
      lines: field(listOf(text()), "Lines that the town criers call."),
      expiresAt: field(
        nullish(epochMsField()),
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
      view: { ...plainViews("id", "expiresAt", "scope"), lines: valuesView },
    },
  ),
  "towncrier.removed": definePublicKind(objectSchema({ id, scope }), {
    about: "The town criers stopped calling an entry.",
    example: { id: "crier-4", scope: "global" },
    feature: "announcements",
    view: plainViews("id", "scope"),
  }),
};
