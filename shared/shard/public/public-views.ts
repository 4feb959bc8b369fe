import { isIdoc, publicHouse } from "../kinds/houses.ts";
import { publicBoard } from "../kinds/points.ts";
import { type Fields, type MaySeeField, show } from "../visibility/view.ts";

/**
 * The public part of a ShardHouse, by the same view as on the stream; gated fields are left out.
 */
export const viewPublicHouse = (
  house: { readonly stage: string; readonly updatedAt: Date },
  maySee: MaySeeField,
): Fields => ({
  ...show(publicHouse, house, maySee),
  isIdoc: isIdoc(house),
  updatedAt: house.updatedAt,
});

/** A PointsBoard by the same view as on the stream; gated names are left out of its ranks. */
export const viewPointsBoard = (
  board: { readonly updatedAt: Date },
  maySee: MaySeeField,
): Fields => ({
  ...show(publicBoard, board, maySee),
  updatedAt: board.updatedAt,
});
