import Joi from "joi";

import {
  count,
  counted,
  flag,
  key,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { counts, either, list, object, plain, value, values } from "../values/view.ts";
import { instant } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";

const rulesetNumbers = {
  skillCap: maybe(count()),
  totalSkillCap: maybe(count()),
  statCap: maybe(count()),
  accountsPerIp: maybe(count()),
  houseLimit: maybe(count()),
  youngHours: maybe(count()),
  restartHour: maybe(count()),
  vendorMaxPrice: maybe(count()),
};

const rulesetWords = {
  expansion: maybe(text()),
  signupMode: maybe(text()),
  vvv: maybe(flag()),
  siege: maybe(flag()),
  champions: maybe(
    Joi.alternatives<boolean | object[]>(
      flag(),
      listOf(shape({ name: text(), type: maybe(text()) })),
    ),
  ),
};

const facet = shape({ name: text(), rules: maybe(text()) });

/** The world as a whole: its rules, and what is cried out in it. */
export const worldKinds = {
  "world.ruleset": publicKind(
    shape({
      ...rulesetNumbers,
      ...rulesetWords,
      maps: maybe(listOf(facet)),
      decay: maybe(
        shape({
          type: maybe(text()),
          periods: maybe(Joi.alternatives<object | string[]>(counted(), listOf(text()))),
        }),
      ),
    }),
    {
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
    shape({ maps: listOf(Joi.alternatives<string | object>(text(), facet)) }),
  ),
  "world.broadcast": publicKind(
    shape({ text: text(4_000), hue: maybe(count()), access: maybe(text()) }),
    {
      feature: "announcements",
      // Notices for staff, such as those of a world save, go the same way in the game.
      isPublic: ({ access }) => access === "Player",
      view: plain("text", "hue"),
    },
  ),
  "towncrier.added": publicKind(
    shape({
      id: key(),
      lines: listOf(text()),
      expiresAt: maybe(instant()),
      scope: maybe(text()),
    }),
    {
      feature: "announcements",
      view: { ...plain("id", "expiresAt", "scope"), lines: values },
    },
  ),
  "towncrier.removed": publicKind(shape({ id: key(), scope: maybe(text()) }), {
    feature: "announcements",
    view: plain("id", "scope"),
  }),
};
