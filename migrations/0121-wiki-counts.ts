import type { QueryInterface } from "sequelize";

/** Counts published wiki pages in total, per category and per tag, so that lists need no scan. */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    lock table wiki_pages in share row exclusive mode;
    create table wiki_counts (
      counted text collate "C" not null check (counted in ('all', 'category', 'tag')),
      -- The id of a category, a tag, or an empty text.
      key text collate "C" not null,
      pages integer not null,
      primary key (counted, key)
    );

    create function wiki_counts_of(page wiki_pages) returns table (counted text, key text)
    language sql stable begin atomic
      select 'all', '' where page.status = 'published'
      union all
      select 'category', page.category_id::text
      where page.status = 'published' and page.category_id is not null
      union all
      select distinct 'tag', tag from unnest(page.tags) tag where page.status = 'published';
    end;

    -- Runs at the end of a transaction, one at a time: the holder of a count waits for nobody.
    create function count_wiki_page() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtextextended('wiki_counts', 0));
      insert into wiki_counts as known (counted, key, pages)
      select counted, key, sum(change) from (
        select counted, key, 1 as change from wiki_counts_of(new) where tg_op <> 'DELETE'
        union all
        select counted, key, -1 from wiki_counts_of(old) where tg_op <> 'INSERT') changed
      group by 1, 2 having sum(change) <> 0 order by 1, 2
      on conflict (counted, key) do update set pages = known.pages + excluded.pages;
      delete from wiki_counts where pages = 0;
      return null;
    end $$;
    create constraint trigger count_created after insert or delete on wiki_pages
      deferrable initially deferred for each row execute function count_wiki_page();
    create constraint trigger count_changed after update on wiki_pages
      deferrable initially deferred for each row
      when ((old.status, old.category_id, old.tags)
        is distinct from (new.status, new.category_id, new.tags))
      execute function count_wiki_page();

    insert into wiki_counts (counted, key, pages)
    select counted, key, count(*) from wiki_pages page cross join wiki_counts_of(page) group by 1, 2;

    create index wiki_pages_listed on wiki_pages (title, id) where status = 'published';
    create index wiki_pages_of_category on wiki_pages (category_id, title, id)
      where status = 'published';
    create index wiki_pages_tags on wiki_pages using gin (tags) where status = 'published';
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    drop index wiki_pages_listed, wiki_pages_of_category, wiki_pages_tags;
    drop trigger count_created on wiki_pages;
    drop trigger count_changed on wiki_pages;
    drop function count_wiki_page();
    drop function wiki_counts_of(wiki_pages);
    drop table wiki_counts;
  `);
}
