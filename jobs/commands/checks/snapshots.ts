import { type Database, rows } from "../../../shared/platform/db/rows.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

/** The tolerated age of a snapshot. A report or a backup may take some minutes. */
const toleratedSeconds = 15 * 60;

export interface OldSnapshot {
  readonly holder: string;
  readonly seconds: number;
  /** SQL that ends the holder. */
  readonly end: string;
}

/**
 * Reads what keeps PostgreSQL from removing dead rows: open transactions, prepared transactions, and replication
 * slots whose standby is away. Sessions of other roles are listed only if the role may see them.
 */
export const readOldSnapshots = (
  database: Database,
  seconds = toleratedSeconds,
): Promise<OldSnapshot[]> =>
  rows<OldSnapshot>(
    database,
    `select format('the transaction of %s (process %s)',
         coalesce(nullif(application_name, ''), 'a client'), pid) as holder,
       extract(epoch from clock_timestamp() - xact_start)::integer as seconds,
       format('select pg_terminate_backend(%s)', pid) as end
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and backend_type = 'client backend' and coalesce(backend_xmin, backend_xid) is not null
       and xact_start <= clock_timestamp() - make_interval(secs => $1)
     union all
     select format('the prepared transaction %s', gid),
       extract(epoch from clock_timestamp() - prepared)::integer,
       format('rollback prepared %L', gid)
     from pg_prepared_xacts
     where database = current_database()
       and prepared <= clock_timestamp() - make_interval(secs => $1)
     order by seconds desc`,
    [seconds],
  );

const formatAge = (seconds: number): string =>
  seconds < 7_200 ? `${Math.floor(seconds / 60)} minutes` : `${Math.floor(seconds / 3_600)} hours`;

export const snapshotsCheck: DoctorCheck = {
  name: "snapshots",
  async run({ sequelize }) {
    const [oldest] = await readOldSnapshots(sequelize);
    if (!oldest) return okResult("no transaction has been open for 15 minutes");
    return faultResult(
      `${oldest.holder} has been open for ${formatAge(oldest.seconds)}, so PostgreSQL removes no dead row`,
      `end it if it is not needed: ${oldest.end}`,
    );
  },
};
