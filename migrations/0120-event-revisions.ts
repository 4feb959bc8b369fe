import type { QueryInterface } from "sequelize";

/**
 * Each change of an event's draft raises its revision; a version stores the revision that it was made from.
 * Published versions that differ from the draft get 0, because their revision is unknown.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table event_definitions add column revision integer not null default 1;
    alter table event_versions add column revision integer not null default 0;
    update event_versions version set revision = 1
    from event_definitions definition
    where definition.current_version_id = version.id
      and (version.title, version.summary, version.body, version.image_url, version.timezone,
           version.grace_seconds, version.concurrency_key, version.spec)
        is not distinct from
          (definition.title, definition.summary, definition.body, definition.image_url,
           definition.timezone, definition.grace_seconds, definition.concurrency_key, definition.spec);
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table event_versions drop column revision;
    alter table event_definitions drop column revision;
  `);
}
