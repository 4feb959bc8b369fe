import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";
import { missing } from "../errors.ts";
import { viewPointsBoard } from "./public-views.ts";
import type { Fields, Sees } from "./view.ts";

interface Row {
  readonly state: Fields;
  readonly t: number;
  readonly updatedAt: Date;
}

/** A board's name is its literal one, else that of its cliloc, else the name of its system. */
const boards = `
  select board.state, board.t, board.updated_at as "updatedAt"
  from points_boards board
  left join clilocs on clilocs.number = (board.state ->> 'nameNumber')::integer
  where $1::text is null or board.system = $1
  order by lower(coalesce(nullif(board.state ->> 'nameString', ''), clilocs.text, board.system)),
    board.system`;

/** Every board the shard published, by display name. */
export async function readPointsBoards(sees: Sees, { sequelize }: Context): Promise<Fields[]> {
  const rows = await sequelize.query<Row>(boards, { bind: [null], type: QueryTypes.SELECT });
  return rows.map((row) => viewBoard(row, sees));
}

/** @throws AppError 404 when the shard never published that system */
export async function readPointsBoard(
  system: string,
  sees: Sees,
  { sequelize }: Context,
): Promise<Fields> {
  const [row] = await sequelize.query<Row>(boards, { bind: [system], type: QueryTypes.SELECT });
  if (!row) throw missing("Unknown points system");
  return viewBoard(row, sees);
}

const unsaid = { nameString: null, nameNumber: null, maxPoints: null, players: null };

const viewBoard = ({ state, t, updatedAt }: Row, sees: Sees): Fields =>
  viewPointsBoard(
    { ...unsaid, showOnGump: false, ...state, t, updatedAt } as { updatedAt: Date },
    sees,
  );
