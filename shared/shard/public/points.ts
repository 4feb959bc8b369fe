import { literal } from "sequelize";

import type { PointsBoard } from "../../../models/shard/points-board.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { publicBoardView } from "../kinds/points.ts";
import {
  type PayloadFields,
  type FieldAccessCheck,
  pickVisibleFields,
} from "../visibility/view.ts";

const shown = ["state", "t", "updatedAt"] as const;
type ShownBoard = Pick<PointsBoard, (typeof shown)[number]>;

/** The sort key of a board: the first of its literal name, its cliloc's text and its system that exists. */
const displayName = literal(`lower(coalesce(nullif(state ->> 'nameString', ''),
  (select text from clilocs where number = nullif((state ->> 'nameNumber')::integer, 0)), system))`);

/** Reads all published boards, sorted by display name. */
export async function readPointsBoards(
  maySee: FieldAccessCheck,
  { models }: Context,
): Promise<PayloadFields[]> {
  const boards = await models.PointsBoard.findAll({
    attributes: [...shown],
    order: [displayName, "system"],
    raw: true,
  });
  return boards.map((board) => viewBoard(board, maySee));
}

/** @throws AppError 404 if the shard never published that system */
export async function readPointsBoard(
  system: string,
  maySee: FieldAccessCheck,
  { models }: Context,
): Promise<PayloadFields> {
  const attributes = [...shown];
  const board = await models.PointsBoard.findByPk(system, { attributes, raw: true });
  if (!board) throw notFoundError("Unknown points system");
  return viewBoard(board, maySee);
}

const missingFields = { nameString: null, nameNumber: null, maxPoints: null, players: null };

const viewBoard = ({ state, t, updatedAt }: ShownBoard, maySee: FieldAccessCheck): PayloadFields =>
  viewPointsBoard(
    { ...missingFields, showOnGump: false, ...state, t, updatedAt } as { updatedAt: Date },
    maySee,
  );

/** Returns a `PointsBoard` of the API, as on the public stream, without names that rules hide. */
export const viewPointsBoard = (
  board: { readonly updatedAt: Date },
  maySee: FieldAccessCheck,
): PayloadFields => ({
  ...pickVisibleFields(publicBoardView, board, maySee),
  updatedAt: board.updatedAt,
});
