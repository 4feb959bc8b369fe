import type { RejectedFrame } from "../../../models/shard/rejected-frame.ts";
import type { Context } from "../../context.ts";

const shown = ["id", "at", "reason", "detail", "kind", "excerpt"] as const;
/**
 * @openapi
 * components:
 *   schemas:
 *     RejectedFrame:
 *       type: object
 *       additionalProperties: false
 *       required: [id, at, reason, detail, kind, excerpt]
 *       properties:
 *         id: { type: integer }
 *         at: { type: string, format: date-time }
 *         reason:
 *           type: string
 *           description: Why the frame was rejected, such as `json`, `size`, `kind` or `schema`.
 *         detail:
 *           type: string
 *           nullable: true
 *           description: Details of the fault. Null if there are none.
 *         kind:
 *           type: string
 *           nullable: true
 *           description: Kind of the event. Null if the frame has none.
 *         excerpt: { type: string, description: 'Beginning of the frame, with secrets masked.' }
 */
type ShownFrame = Readonly<Pick<RejectedFrame, (typeof shown)[number]>>;

/** Refused frames that are kept for the operator, newest first. */
export const readRejectedFrames = (limit: number, { models }: Context): Promise<ShownFrame[]> =>
  models.RejectedFrame.findAll({
    attributes: [...shown],
    where: { source: "shard" },
    order: [["id", "DESC"]],
    limit,
    raw: true,
  });
