import type { QueryInterface } from "sequelize";

/**
 * Stores the last revision of a page whose slug became free by deletion or renaming. The next page with the slug
 * starts above that revision; otherwise a change based on the former page could overwrite the new page. Triggers
 * store the revision for every writer.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table left_slugs (
      kind text collate "C" not null check (kind in ('wiki', 'page')),
      slug text collate "C" not null,
      revision integer not null,
      primary key (kind, slug)
    );

    create function note_left_slug() returns trigger language plpgsql as $$
    begin
      insert into left_slugs as known (kind, slug, revision)
      values (tg_argv[0], old.slug, old.revision)
      on conflict (kind, slug) do update set revision = greatest(known.revision, excluded.revision);
      return null;
    end $$;
    create trigger note_deleted after delete on wiki_pages
      for each row execute function note_left_slug('wiki');
    create trigger note_renamed after update of slug on wiki_pages
      for each row when (old.slug <> new.slug) execute function note_left_slug('wiki');
    create trigger note_deleted after delete on pages
      for each row execute function note_left_slug('page');
    create trigger note_renamed after update of slug on pages
      for each row when (old.slug <> new.slug) execute function note_left_slug('page');
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop trigger note_deleted on wiki_pages;
    drop trigger note_renamed on wiki_pages;
    drop trigger note_deleted on pages;
    drop trigger note_renamed on pages;
    drop function note_left_slug();
    drop table left_slugs;
  `);
}
