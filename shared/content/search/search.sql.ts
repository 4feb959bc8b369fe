import { registerStatement } from "../../platform/db/named-statements.ts";

/** The number of first hits that are ranked by their whole texts. Each of them costs one more read. */
export const maxRankedHits = 200;

/** If more headings match than this, only the newest of them are ranked. */
const maxRankedHeadings = 2_000;

/** `$1` is a tsquery's text, `$2` the audiences, `$3` a type or null. */
const query = "$1::tsquery";
const isInScope = `audience = any($2) and ($3::text is null or type = $3)`;
const isSeen = `visible_from <= now() and ${isInScope}`;

/**
 * Equals `isSeen`, but `is true` prevents the use of the index by time. Without statistics, the planner would read
 * all texts along that index and test the words of each, instead of using the index of words.
 */
const isSeenByWords = `(visible_from <= now()) is true and ${isInScope}`;
const isHit = `words @@ ${query} and ${isSeenByWords}`;
const newest = "visible_from desc, type, ref_id desc";

/** Visible texts, newest first. `offset 0` keeps this order in the plan, so a limit ends the scan early. */
const newestFirst = `(select * from search_entries where ${isSeen} order by ${newest} offset 0) walked`;

const headingRank = `ts_rank(heading, ${query}) as rank`;

/**
 * Texts whose title, excerpt, tags or category contain the words, by rank.
 * @param condition SQL that is evaluated once; if it is false, no text is read
 */
const headingHits = (condition: string): string => `
  few as materialized (
    select type, ref_id, visible_from, ${headingRank} from search_entries
    where ${condition} and heading @@ ${query} and ${isSeenByWords}
    limit ${maxRankedHeadings + 1}
  ), lately as materialized (
    select type, ref_id, visible_from, ${headingRank} from ${newestFirst}
    where (select count(*) from few) > ${maxRankedHeadings} and heading @@ ${query}
    limit ${2 * maxRankedHits}
  ), headed as materialized (
    select * from (
      select * from few where (select count(*) from few) <= ${maxRankedHeadings}
      union all select * from lately) found
    order by rank desc, ${newest} limit ${maxRankedHits}
  )`;

export const countHitsSql = `select count(*)::integer as total from search_entries where ${isHit}`;

/**
 * Selects a page that begins among the first 200 hits: hits in the title, excerpt, tags or category by rank,
 * then the newest others. The first 200 are sorted again by the rank of their whole texts, so 200 hits or fewer
 * need no rank before. `$4` is the limit, `$5` the offset, `$6` the number of hits to sort. One row with a null
 * type is an empty page.
 */
export const firstPageSql = registerStatement({
  name: "search_first_page",
  text: `
  with found as materialized (
    select type, ref_id, visible_from from search_entries where ${isHit}
  ), counted as materialized (
    select count(*)::integer as total from found
  ), ${headingHits(`(select total from counted) > ${maxRankedHits}`)}, hits as materialized (
    select * from found order by ${newest} limit $6::bigint
  ), first as (
    select type, ref_id, row_number() over (order by rank desc, ${newest}) as place
    from (
      select * from headed
      union all select *, 0 from hits
      where (type, ref_id) not in (select type, ref_id from headed)) found
    order by place limit $6::bigint
  ), ranked as (
    select type, ref_id, place,
      case when place > ${maxRankedHits} then 0
        else case when heading @@ ${query} then ts_rank(heading, ${query}) else 0 end
          + ts_rank(words, ${query}, 1) end as score
    from first join search_entries using (type, ref_id)
  ), page as (
    select * from ranked order by place > ${maxRankedHits}, score desc, place limit $4 offset $5
  )
  select total, page.type, slug, title, text, score::float8 as score
  from counted left join (page join search_entries using (type, ref_id)) on true
  order by place > ${maxRankedHits}, score desc, place`,
});

/**
 * Selects a page after the first 200 hits: the newest hits that are not in `headingHits`. The scan also counts
 * these hits.
 */
export const deepPageSql = `
  with ${headingHits("true")}, page as materialized (
    select type, ref_id, visible_from, count(*) over () as others from search_entries
    where ${isHit} and (type, ref_id) not in (select type, ref_id from headed)
    order by ${newest} limit $4 offset $5::bigint - (select count(*) from headed)
  )
  select (others + (select count(*) from headed))::integer as total, type, slug, title, text,
    0::float8 as score
  from page join search_entries using (type, ref_id)
  order by page.visible_from desc, type, ref_id desc`;
