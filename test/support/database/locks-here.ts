/**
 * An SQL expression that selects the locks of this database. `pg_locks` contains the locks of all
 * databases, and tables have the same OIDs in all copies of a template.
 */
export const locksHere = `pg_locks join pg_database here
  on here.oid = pg_locks.database and here.datname = current_database()`;
