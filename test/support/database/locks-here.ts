/**
 * SQL that selects the locks of this database. `pg_locks` lists all databases, and tables of databases from
 * one template have the same OIDs.
 */
export const locksHere = `pg_locks join pg_database here
  on here.oid = pg_locks.database and here.datname = current_database()`;
