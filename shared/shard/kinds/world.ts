import Joi from "joi";

import {
  count,
  counted,
  field,
  flag,
  key,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { counts, either, list, object, plain, value, values } from "../values/view.ts";
import { exampleTime, hourMs } from "./example-world.ts";
import { instant } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";

const rulesetNumbers = {
  skillCap: field(maybe(count()), "Upper limit of one skill, in tenths of a point."),
  totalSkillCap: field(maybe(count()), "Upper limit of all skills together, in tenths of a point."),
  statCap: field(maybe(count()), "Upper limit of strength, dexterity and intelligence together."),
  accountsPerIp: field(maybe(count()), "Game accounts that one address may create."),
  houseLimit: field(maybe(count()), "Houses that one account may own."),
  youngHours: field(maybe(count()), "Hours for which a new player is protected."),
  restartHour: field(maybe(count()), "Hour of the daily restart, by the server's clock."),
  vendorMaxPrice: field(maybe(count()), "Highest price of a player vendor, in gold."),
};

const rulesetWords = {
  expansion: field(maybe(text()), "Expansion of the game, such as `EJ`."),
  signupMode: field(
    maybe(text()),
    "Where accounts are created: `disabled`, `website`, `hybrid` or `game`.",
  ),
  vvv: field(maybe(flag()), "Whether the war of Vice and Virtue is on."),
  siege: field(maybe(flag()), "Whether the rules of Siege Perilous hold."),
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
    "Whether there are champion spawns, or a list of them.",
  ),
};

const facet = shape({
  name: field(text(), "Name of the facet."),
  rules: field(maybe(text()), "Rules of the facet, such as `FeluccaRules`."),
});

const decay = shape({
  type: field(maybe(text()), "How houses decay, such as `Dynamic`."),
  periods: field(
    maybe(Joi.alternatives<object | string[]>(counted(), listOf(text()))),
    "Stages of decay: a list, or the seconds of each by its name.",
  ),
});

const id = field(key(), "Id of the entry. The plugin makes it up.");
const scope = field(maybe(text()), "Where criers call it: `global` or `city`.");

/** The world as a whole: its rules, and what is cried out in it. */
export const worldKinds = {
  "world.ruleset": publicKind(
    shape({
      ...rulesetNumbers,
      ...rulesetWords,
      maps: field(maybe(listOf(facet)), "Facets of the shard."),
      decay: field(maybe(decay), "How houses decay."),
    }),
    {
      about: "The rules of the shard. Send them after each start, and when they change.",
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
        "Facets of the shard now, by name or with their rules.",
      ),
    }),
    {
      about: "The shard has other facets than before.",
      example: { maps: ["Felucca", "Trammel", "Sosaria"] },
    },
  ),
  "world.broadcast": publicKind(
    shape({
      text: field(text(4_000), "The message."),
      hue: field(maybe(count()), "Number of the text's color."),
      access: field(
        maybe(text()),
        "Lowest access level that sees the message. Only `Player` is public.",
      ),
    }),
    {
      about: "The game showed a message to everyone in the world.",
      example: { text: "The gates open at dusk.", hue: 1_154, access: "Player" },
      feature: "announcements",
      // Notices for staff, such as those of a world save, go the same way in the game.
      isPublic: ({ access }) => access === "Player",
      view: plain("text", "hue"),
    },
  ),
  "towncrier.added": publicKind(
    shape({
      id,
      lines: field(listOf(text()), "Lines that criers call."),
      expiresAt: field(maybe(instant()), "When the entry ends, in epoch milliseconds."),
      scope,
    }),
    {
      about: "The town criers call something new.",
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
    about: "The town criers no longer call an entry.",
    example: { id: "crier-4", scope: "global" },
    feature: "announcements",
    view: plain("id", "scope"),
  }),
};
