import type { RejectedFrame } from "../../../models/shard/rejected-frame.ts";
import type { Context } from "../../platform/context.ts";

const shown = ["id", "at", "reason", "detail", "kind", "excerpt"] as const;
type RejectedFrameView = Readonly<Pick<RejectedFrame, (typeof shown)[number]>>;

export const readRejectedFrames = (
  limit: number,
  { models }: Context,
): Promise<RejectedFrameView[]> =>
  models.RejectedFrame.findAll({
    attributes: [...shown],
    where: { source: "shard" },
    order: [["id", "DESC"]],
    limit,
    raw: true,
  });
