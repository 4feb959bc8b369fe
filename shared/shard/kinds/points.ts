import Joi from "joi";

import {
  count,
  field,
  flag,
  integer,
  largeCount,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { gatedView, listView, plainViews, type PayloadView } from "../visibility/view.ts";
import { birchCharacter, exampleTime, mapleCharacter } from "./fields.ts";
import { definePublicKind, defineStaffKind } from "./kind.ts";
import { defineSnapshotKinds } from "./snapshot.ts";

/** The key of a points system is the name of its class in the game. */
export const pointsSystemField = (): Joi.StringSchema =>
  Joi.string().pattern(/^[A-Za-z][A-Za-z0-9]{0,63}$/, "points system");

/** Truncates the game's doubles to whole points that JSON can hold exactly. */
const points = (): Joi.NumberSchema =>
  Joi.number()
    .unsafe()
    .custom((given: number) => {
      const most = Number.MAX_SAFE_INTEGER;
      // Adding zero turns the -0 of a small negative number into 0.
      return Math.max(-most, Math.min(Math.trunc(given), most)) + 0;
    }, "points");

/** The maximum of a points system; null if the game sends the largest double, which means no limit. */
const maxPoints = (): Joi.AnySchema<number | null> =>
  Joi.number<number | null>()
    .unsafe()
    .min(0)
    .custom((given: number) => (given < 2 ** 53 ? Math.trunc(given) : null), "most points");

const system = field(
  pointsSystemField(),
  "Name of the class of the points system in the game, such as `QueensLoyalty`.",
);

const row = objectSchema({
  rank: field(
    integer().min(1),
    "Rank of the character on the board. The best character has the rank 1.",
  ),
  serial: field(serialField(), "Serial of the character."),
  name: field(text(), "Name of the character."),
  points: field(points(), "Points of the character. The site discards fractions."),
});

const board = objectSchema({
  system,
  nameString: field(
    nullish(text()),
    "Name of the board as a text. Null if `nameNumber` names the board.",
  ),
  nameNumber: field(
    nullish(count()),
    "Number of the client text (cliloc) that names the board. Ignored if `nameString` is set.",
  ),
  maxPoints: field(nullish(maxPoints()), "Maximum number of points. Null for no limit."),
  players: field(nullish(count()), "Number of characters who have points."),
  showOnGump: field(nullish(flag()), "Whether the game shows the board to players."),
  top: field(listOf(row), "Best characters of the board, in the order of their ranks."),
  t: field(
    nullish(largeCount()),
    "When the board was read, in epoch milliseconds. Null if the board was read at the time of " +
      "the event.",
  ),
}).custom(
  // A literal name overrides a cliloc, so that a board has one name.
  (given: { nameString?: string | null; nameNumber?: number | null }) =>
    typeof given.nameString === "string" && given.nameNumber !== 0
      ? { ...given, nameNumber: 0 }
      : given,
  "points board",
);

/** The public fields of a board. */
export const publicBoardView: PayloadView = {
  ...plainViews("system", "nameString", "nameNumber", "maxPoints", "players", "showOnGump", "t"),
  top: listView({ ...plainViews("rank", "serial", "points"), name: gatedView("name") }),
};

const queensLoyalty = {
  system: "QueensLoyalty",
  nameString: null,
  nameNumber: 1_095_163,
  maxPoints: 15_000,
  players: 214,
  showOnGump: true,
  top: [
    { rank: 1, ...mapleCharacter, points: 15_000 },
    { rank: 2, ...birchCharacter, points: 9_120 },
  ],
  t: exampleTime,
};

export const pointsKinds = {
  "points.board": definePublicKind(board, {
    about:
      "Reports the best characters of a points system. Send it at most once a minute for each " +
      "board.",
    example: queensLoyalty,
    feature: "leaderboards",
    view: publicBoardView,
    feeds: { state: "points", as: "upsert" },
  }),
  "points.award": defineStaffKind(
    objectSchema({
      system,
      serial: field(serialField(), "Serial of the character."),
      points: field(
        points(),
        "Points of the character after the change. The site discards fractions.",
      ),
      delta: field(
        nullish(points()),
        "Number of points that were added. Negative if points were taken.",
      ),
      cause: field(nullish(text()), "Cause of the change, such as `kill` or `quest`."),
    }),
    {
      about: "The points of a character changed.",
      example: {
        system: "VoidPool",
        serial: mapleCharacter.serial,
        points: 320,
        delta: 20,
        cause: "kill",
      },
    },
  ),
  ...defineSnapshotKinds("points", board, { of: "all boards", row: queensLoyalty }),
};
