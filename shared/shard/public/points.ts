import { literal } from "sequelize";

import type { PointsBoard } from "../../../models/shard/points-board.ts";
import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import { publicBoard } from "../kinds/points.ts";
import { type Fields, type MaySeeField, show } from "../visibility/view.ts";

const shown = ["state", "t", "updatedAt"] as const;
type ShownBoard = Pick<PointsBoard, (typeof shown)[number]>;

/** A board's name is its literal one, else that of its cliloc, unless that is 0, else that of its system. */
const displayName = literal(`lower(coalesce(nullif(state ->> 'nameString', ''),
  (select text from clilocs where number = nullif((state ->> 'nameNumber')::integer, 0)), system))`);

/** Every board the shard published, by display name. */
export async function readPointsBoards(
  maySee: MaySeeField,
  { models }: Context,
): Promise<Fields[]> {
  const boards = await models.PointsBoard.findAll({
    attributes: [...shown],
    order: [displayName, "system"],
    raw: true,
  });
  return boards.map((board) => viewBoard(board, maySee));
}

/** @throws AppError 404 when the shard never published that system */
export async function readPointsBoard(
  system: string,
  maySee: MaySeeField,
  { models }: Context,
): Promise<Fields> {
  const attributes = [...shown];
  const board = await models.PointsBoard.findByPk(system, { attributes, raw: true });
  if (!board) throw missing("Unknown points system");
  return viewBoard(board, maySee);
}

const unsaid = { nameString: null, nameNumber: null, maxPoints: null, players: null };

const viewBoard = ({ state, t, updatedAt }: ShownBoard, maySee: MaySeeField): Fields =>
  viewPointsBoard(
    { ...unsaid, showOnGump: false, ...state, t, updatedAt } as { updatedAt: Date },
    maySee,
  );

/** A PointsBoard by the same view as on the stream; gated names are left out of its ranks. */
export const viewPointsBoard = (
  board: { readonly updatedAt: Date },
  maySee: MaySeeField,
): Fields => ({
  ...show(publicBoard, board, maySee),
  updatedAt: board.updatedAt,
});
