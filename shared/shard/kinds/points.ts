import Joi from "joi";

import {
  count,
  flag,
  integer,
  large,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { gated, list, plain, type View } from "../values/view.ts";
import { publicKind, staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

/** The key of a points system: the name of its class in the game. */
export const pointsSystem = (): Joi.StringSchema =>
  Joi.string().pattern(/^[A-Za-z][A-Za-z0-9]{0,63}$/, "points system");

/** The game counts in doubles; a board shows whole points, and no more than JSON holds exactly. */
const points = (): Joi.NumberSchema =>
  Joi.number()
    .unsafe()
    .custom((given: number) => {
      const most = Number.MAX_SAFE_INTEGER;
      // Adding zero turns the -0 of a small negative into the 0 that it is stored as.
      return Math.max(-most, Math.min(Math.trunc(given), most)) + 0;
    }, "points");

/** Most systems have no limit, which the game writes as the greatest double. */
const maxPoints = (): Joi.AnySchema<number | null> =>
  Joi.number<number | null>()
    .unsafe()
    .min(0)
    .custom((given: number) => (given < 2 ** 53 ? Math.trunc(given) : null), "most points");

const board = shape({
  system: pointsSystem(),
  nameString: maybe(text()),
  nameNumber: maybe(count()),
  maxPoints: maybe(maxPoints()),
  players: maybe(count()),
  showOnGump: maybe(flag()),
  top: listOf(shape({ rank: integer().min(1), serial: serial(), name: text(), points: points() })),
  t: maybe(large()),
}).custom(
  // A literal name wins over a cliloc, so that a board has one name.
  (given: { nameString?: string | null; nameNumber?: number | null }) =>
    typeof given.nameString === "string" && given.nameNumber !== 0
      ? { ...given, nameNumber: 0 }
      : given,
  "points board",
);

/** What everyone may see of a board. */
export const publicBoard: View = {
  ...plain("system", "nameString", "nameNumber", "maxPoints", "players", "showOnGump", "t"),
  top: list({ ...plain("rank", "serial", "points"), name: gated("name") }),
};

/** Boards of the shard's points systems. */
export const pointsKinds = {
  "points.board": publicKind(board, {
    feature: "leaderboards",
    view: publicBoard,
    feeds: { state: "points", as: "upsert" },
  }),
  "points.award": staffKind(
    shape({
      system: pointsSystem(),
      serial: serial(),
      points: points(),
      delta: maybe(points()),
      cause: maybe(text()),
    }),
  ),
  ...snapshotOf("points", board),
};
