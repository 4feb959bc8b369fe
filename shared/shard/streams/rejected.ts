import type { RejectedFrame } from "../../../models/shard/rejected-frame.ts";
import type { Context } from "../../platform/context.ts";

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
 *           description: >-
 *             Why the frame was rejected: a code such as `json`, `size`, `kind` or `schema`.
 *         detail:
 *           type: string
 *           nullable: true
 *           description: Description of the fault in the frame. Null if there is none.
 *         kind:
 *           type: string
 *           nullable: true
 *           description: Event kind that the frame contains. Null if the frame contains none.
 *         excerpt: { type: string, description: 'First part of the frame''s text, with secrets masked.' }
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
