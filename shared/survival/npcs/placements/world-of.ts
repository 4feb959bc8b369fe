import type { SurvivalNpcPlacement } from "../../../../models/survival/npcs/survival-npc-placement.ts";

type SetUp = Pick<SurvivalNpcPlacement, "onWipe" | "saveId">;

/**
 * Whether a placement is of the world that stands, or of every one. One that goes with its world is
 * not carried into the next; when its own is restored from a backup, it stands there again.
 * @param standing the world that stands, null where none is known: then it is the one to come
 */
export const isOfWorld = ({ onWipe, saveId }: SetUp, standing: number | null): boolean =>
  onWipe === "keep" || standing === null || saveId === null || saveId === standing;
