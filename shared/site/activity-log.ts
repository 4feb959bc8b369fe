import { QueryTypes, type Sequelize } from "sequelize";

/** A line of the activity log as it is read. */
export interface LoggedActivity {
  readonly id: number;
  readonly at: Date;
  readonly actorId: number | null;
  /** Null for an actor whose account is deleted. */
  readonly actorName: string | null;
  readonly action: string;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface ActivitySearch {
  readonly actor?: number | undefined;
  /** The whole of an action or its beginning: `auth.login` finds `auth.login.failure`. */
  readonly action?: string | undefined;
  /** Lines older than this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface ActivityPage {
  readonly lines: readonly LoggedActivity[];
  /** What the next page is asked for with; null at the end. */
  readonly nextBefore: number | null;
}

/** Lines of the log, the latest first. */
export async function readActivity(
  { actor, action, before, limit }: ActivitySearch,
  sequelize: Sequelize,
): Promise<ActivityPage> {
  const rows = await sequelize.query<LoggedActivity>(
    `select log.id, at, actor_id as "actorId", users.username as "actorName", action,
            target_type as "targetType", target_id as "targetId", detail
     from activity_log as log left join users on users.id = actor_id
     where ($1::bigint is null or actor_id = $1)
       and ($2::text is null or starts_with(action, $2))
       and ($3::bigint is null or log.id < $3)
     order by log.id desc limit $4`,
    {
      bind: [actor ?? null, action ?? null, before ?? null, limit + 1],
      type: QueryTypes.SELECT,
    },
  );
  const lines = rows.slice(0, limit);
  const isLast = lines.length === rows.length;
  return { lines, nextBefore: isLast ? null : (lines.at(-1)?.id ?? null) };
}
