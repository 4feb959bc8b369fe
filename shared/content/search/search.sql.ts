/** This many first hits are ranked by their whole texts, which needs one more read per text. */
export const rankedHits = 200;

/** If more headings match than this, only the newest of them are ranked. */
const maxRankedHeadings = 2_000;

/** With more hits than this, one text in five is a hit, so the newest are found along the time index. */
const maxHitsByIndex = 5_000;

/** `$1` is a tsquery's text, `$2` the audiences, `$3` a type or null. */
const query = "$1::tsquery";
const isSeen = `visible_from <= now() and audience = any($2) and ($3::text is null or type = $3)`;
const isHit = `words @@ ${query} and ${isSeen}`;
const newest = "visible_from desc, type, ref_id desc";

/** Texts from the newest on. `offset 0` keeps the planner from reordering the walk, so a limit ends it early. */
const newestFirst = `(select * from search_entries where ${isSeen} order by ${newest} offset 0) walked`;

const headingRank = `ts_rank(heading, ${query}) as rank`;

/** Texts whose title, excerpt, tags or category contain the words, by rank. */
const headingHits = `
  few as materialized (
    select type, ref_id, visible_from, ${headingRank} from search_entries
    where heading @@ ${query} and ${isSeen} limit ${maxRankedHeadings + 1}
  ), lately as materialized (
    select type, ref_id, visible_from, ${headingRank} from ${newestFirst}
    where (select count(*) from few) > ${maxRankedHeadings} and heading @@ ${query}
    limit ${2 * rankedHits}
  ), headed as materialized (
    select * from (
      select * from few where (select count(*) from few) <= ${maxRankedHeadings}
      union all select * from lately) found
    order by rank desc, ${newest} limit ${rankedHits}
  )`;

export const countSql = `select count(*)::integer as total from search_entries where ${isHit}`;

/**
 * A page that begins among the first hits: heading hits by rank, then the newest other hits. The first 200
 * are sorted again by the rank of their whole texts. `$4` is the limit, `$5` the offset, and `$6` the
 * number of hits to sort. A single row with a null type means that the page is empty.
 */
export const firstPageSql = `
  with counted as materialized (${countSql}), ${headingHits}, hits as materialized (
    (select type, ref_id, visible_from from search_entries
     where (select total from counted) <= ${maxHitsByIndex} and ${isHit} order by ${newest} limit $6::bigint)
    union all
    (select type, ref_id, visible_from from ${newestFirst}
     where (select total from counted) > ${maxHitsByIndex} and words @@ ${query} limit $6::bigint)
  ), first as (
    select type, ref_id, rank, row_number() over (order by rank desc, ${newest}) as place
    from (
      select * from headed
      union all select *, 0 from hits
      where (type, ref_id) not in (select type, ref_id from headed)) found
    order by place limit $6::bigint
  ), ranked as (
    select type, ref_id, place,
      case when place <= ${rankedHits} then rank + ts_rank(words, ${query}, 1) else 0 end as score
    from first join search_entries using (type, ref_id)
  ), page as (
    select * from ranked order by place > ${rankedHits}, score desc, place limit $4 offset $5
  )
  select total, page.type, slug, title, text, score::float8 as score
  from counted left join (page join search_entries using (type, ref_id)) on true
  order by place > ${rankedHits}, score desc, place`;

/** A page beyond the first hits: the newest of the other hits. The same scan counts the total. */
export const deepPageSql = `
  with ${headingHits}, page as materialized (
    select type, ref_id, visible_from, count(*) over () as others from search_entries
    where ${isHit} and (type, ref_id) not in (select type, ref_id from headed)
    order by ${newest} limit $4 offset $5::bigint - (select count(*) from headed)
  )
  select (others + (select count(*) from headed))::integer as total, type, slug, title, text,
    0::float8 as score
  from page join search_entries using (type, ref_id)
  order by page.visible_from desc, type, ref_id desc`;
