import type { QueryInterface } from "sequelize";

/** Adds indexes for the feed's newest posts and for posts by tag. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create index posts_newest on posts (published_at desc, id desc) where status = 'published';
    create index posts_tags on posts using gin (tags) where status = 'published';
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop index posts_newest, posts_tags");
}
