import { isIdoc, publicHouse } from "./kinds/houses.ts";
import { publicBoard } from "./kinds/points.ts";
import { type Fields, type Sees, show } from "./view.ts";

/** The public part of a ShardHouse, by the same view as on the stream; gated fields are left out. */
export const viewPublicHouse = (
  house: { readonly stage: string; readonly updatedAt: Date },
  sees: Sees,
): Fields => ({
  ...show(publicHouse, house, sees),
  isIdoc: isIdoc(house),
  updatedAt: house.updatedAt,
});

/** A PointsBoard by the same view as on the stream; gated names are left out of its ranks. */
export const viewPointsBoard = (board: { readonly updatedAt: Date }, sees: Sees): Fields => ({
  ...show(publicBoard, board, sees),
  updatedAt: board.updatedAt,
});
