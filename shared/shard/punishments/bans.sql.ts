/** How far the shard's clock may be behind the site's clock. */
const clockSkewSeconds = 60;

/** How long the shard may take to execute a command. A save freezes the game for minutes. */
const maxDelaySeconds = 600;

/** The event's time. A time in the future is replaced by the current time. */
const reportedAtSql = "least(to_timestamp($2::double precision / 1000), clock_timestamp())";

export const markReportedSql = "update punishments set told_at = clock_timestamp() where id = $1";

/** A ban issued after this event's time stays: the event describes an older ban. */
export const endOlderBansSql = `
  update punishments set ended_at = greatest(issued_at, least(${reportedAtSql}, expires_at))
  where account_key = $1 and confirmed_at is not null and ended_at is null
    and issued_at <= ${reportedAtSql} + make_interval(secs => ${clockSkewSeconds})`;

export const insertBanSql = `insert into punishments
       (account_key, account, reason, issuer_name, issued_at, confirmed_at, told_at)
     select $1, $3, $4, $5, ${reportedAtSql}, clock_timestamp(), clock_timestamp()
     where not exists (
       select 1 from punishments
       where account_key = $1 and confirmed_at is not null and ended_at is null)`;

export const endReportedBansSql = `update punishments set ended_at = least(${reportedAtSql}, expires_at)
     where account_key = $1 and confirmed_at is not null and ended_at is null
       and issued_at <= ${reportedAtSql}`;

export const endFormerBanSql = `update punishments set ended_at = least(clock_timestamp(), expires_at)
     where account_key = $1 and confirmed_at is not null and ended_at is null
       and exists (select 1 from punishments where id = $2 and confirmed_at is null)`;

export const confirmBanSql = `update punishments set account_key = $1, account = $3, confirmed_at = clock_timestamp()
     where id = $2 and confirmed_at is null`;

export const endExpiredBansSql = `update punishments set ended_at = expires_at
     where account_key = $1 and confirmed_at is not null and ended_at is null
       and expires_at <= clock_timestamp()`;

export const selectSiteBanSql = `select id from punishments
     where told_at is null and (account_key = $1 or (account_key is null and id = $3))
       and issued_at between ${reportedAtSql} - make_interval(secs => ${maxDelaySeconds})
         and ${reportedAtSql} + make_interval(secs => ${clockSkewSeconds})
     order by id = $3 desc, confirmed_at is null,
       case when confirmed_at is null then -id else id end
     limit 1`;
