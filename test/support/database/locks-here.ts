/**
 * The locks of this database as SQL: those of all are listed, and tables of databases that were made from
 * one template have the same numbers.
 */
export const locksHere = `pg_locks join pg_database here
  on here.oid = pg_locks.database and here.datname = current_database()`;
