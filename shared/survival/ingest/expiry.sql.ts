export const expireLastSql = `
  with last as (
    select id, state, ended_at from survival_ledger where server_id = $1 and what = $2 and ref = $3
    order by state = 'pushed', id desc limit 1
  ), ended as (
    update survival_ledger
    set state = 'expired', reason = $4, ended_at = to_timestamp($5::bigint / 1000.0)
    from last where survival_ledger.id = last.id and last.state in ('pushed', 'confirmed')
  )
  select not exists (
    select from last
    where $6::boolean or state in ('pushed', 'confirmed')
      or ended_at = to_timestamp($5::bigint / 1000.0)) as "isUnknown"`;

export const insertEndedSql = `
  insert into survival_ledger (server_id, what, ref, state, reason, ended_at, pushed_at, boot_id)
  values ($1, $2, $3, 'expired', $4, to_timestamp($5::bigint / 1000.0),
    to_timestamp($6::bigint / 1000.0), $7)`;

export const expireParticipationSql = `update survival_participations set state = 'expired', closed_at = clock_timestamp()
     where id::text = $1 and server_id = $2 and state in ('opening', 'open')`;

export const expireLeaseSql = `
  update survival_zone_leases
  set state = 'expired', reason = $3, ended_at = to_timestamp($4::float8 / 1000.0)
  where lease_id::text = $1 and server_id = $2 and state in ('opening', 'open', 'closing')`;
