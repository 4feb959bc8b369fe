export const insertSnapshotSql = `insert into snapshots (source, family, snapshot_id, epoch, pages, count)
     values ($1, $2, $3, $4, $5, $6)`;

/** Stores a page of the snapshot in progress; the page of another snapshot is ignored. */
export const insertSnapshotPageSql = `insert into snapshot_pages (source, family, page, rows)
     select $1, $2, $4, $5 from snapshots
     where source = $1 and family = $2 and snapshot_id = $3 and $4 <= pages
     on conflict do nothing`;

/** Selects true if all pages and rows of a snapshot arrived. */
export const isSnapshotCompleteSql = `select pages = (select count(*) from snapshot_pages p where p.source = s.source and p.family = s.family)
        and count = (select coalesce(sum(jsonb_array_length(rows)), 0)
                     from snapshot_pages p where p.source = s.source and p.family = s.family) as whole
     from snapshots s where source = $1 and family = $2 and snapshot_id = $3`;

export const markSnapshotFreshSql =
  "update ingest_sources set stale = array_remove(stale, $2) where source = $1";

export const deleteSnapshotSql = "delete from snapshots where source = $1 and family = $2";

/** Marks objects that live events changed, so that a snapshot in progress does not overwrite them. */
export const markSnapshotObjectsChangedSql = {
  name: "touch snapshots",
  text: `
  insert into snapshot_touched (source, family, key)
  select source, family, key from snapshots, unnest($3::text[]) as touched (key)
  where source = $1 and family = $2
  on conflict do nothing`,
};
