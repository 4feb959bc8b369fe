/** So many of the first hits are ordered by their whole texts, which are read from elsewhere for each. */
export const rankedHits = 200;

/** More headings than this are not ranked: the newest of them are. */
const mostHeadings = 2_000;

/** Of more hits than this the newest are found along the index of times: one text in five is a hit at least. */
const fewHits = 5_000;

/** `$1` is a tsquery's text, `$2` the audiences, `$3` a type or null. */
const query = "$1::tsquery";
const isSeen = `visible_from <= now() and audience = any($2) and ($3::text is null or type = $3)`;
const isHit = `words @@ ${query} and ${isSeen}`;
const newest = "visible_from desc, type, ref_id desc";

/** Texts from the newest on. `offset 0` fences the walk from what is tested of each: it ends early under a limit. */
const walked = `(select * from search_entries where ${isSeen} order by ${newest} offset 0) walked`;

const headingRank = `ts_rank(heading, ${query}) as rank`;

/** Texts whose heading, tags or category hold the words, by how well they do. */
const headed = `
  few as materialized (
    select type, ref_id, visible_from, ${headingRank} from search_entries
    where heading @@ ${query} and ${isSeen} limit ${mostHeadings + 1}
  ), lately as materialized (
    select type, ref_id, visible_from, ${headingRank} from ${walked}
    where (select count(*) from few) > ${mostHeadings} and heading @@ ${query}
    limit ${2 * rankedHits}
  ), headed as materialized (
    select * from (
      select * from few where (select count(*) from few) <= ${mostHeadings}
      union all select * from lately) found
    order by rank desc, ${newest} limit ${rankedHits}
  )`;

/** How many texts hold the words. */
export const countSql = `select count(*)::integer as total from search_entries where ${isHit}`;

/**
 * A page that begins among the first hits: those of headings by their rank, then the newest; the first
 * two hundred in the order of their whole texts. `$4` and `$5` are limit and offset, `$6` how many hits
 * that order is made of. One row without a type says that there is none.
 */
export const firstPageSql = `
  with counted as materialized (${countSql}), ${headed}, hits as materialized (
    (select type, ref_id, visible_from from search_entries
     where (select total from counted) <= ${fewHits} and ${isHit} order by ${newest} limit $6::bigint)
    union all
    (select type, ref_id, visible_from from ${walked}
     where (select total from counted) > ${fewHits} and words @@ ${query} limit $6::bigint)
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

/** A page beyond the first hits: the newest of the others, with the total that the same look counts. */
export const deepPageSql = `
  with ${headed}, page as materialized (
    select type, ref_id, visible_from, count(*) over () as others from search_entries
    where ${isHit} and (type, ref_id) not in (select type, ref_id from headed)
    order by ${newest} limit $4 offset $5::bigint - (select count(*) from headed)
  )
  select (others + (select count(*) from headed))::integer as total, type, slug, title, text,
    0::float8 as score
  from page join search_entries using (type, ref_id)
  order by page.visible_from desc, type, ref_id desc`;
