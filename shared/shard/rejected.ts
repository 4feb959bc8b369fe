import { QueryTypes, type Sequelize } from "sequelize";

export interface KeptFrame {
  readonly id: number;
  readonly at: Date;
  readonly reason: string;
  /** What exactly is wrong, where the reason alone does not say. */
  readonly detail: string | null;
  readonly kind: string | null;
  readonly excerpt: string;
}

/** Refused frames that are kept for the operator, newest first. */
export function readRejectedFrames(limit: number, sequelize: Sequelize): Promise<KeptFrame[]> {
  return sequelize.query<KeptFrame>(
    `select id, at, reason, detail, kind, excerpt from rejected_frames
     where source = 'shard' order by id desc limit $1`,
    { bind: [limit], type: QueryTypes.SELECT },
  );
}
