import type { QueryInterface } from "sequelize";

export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    create table punishments (
      id integer generated always as identity primary key,
      kind text not null default 'ban' check (kind in ('ban')),
      -- Null while only the character is known that a command of the site banned.
      account_key text,
      account text,
      reason text not null,
      -- The text that the site's command appends to the reason in the game.
      suffix text not null default '',
      issued_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz,
      issued_by integer references users on delete set null,
      -- The issuer's name in the game, if no user of the site issued it.
      issuer_name text,
      -- Finds the punishment of a command that is sent again.
      order_key text unique,
      -- Null until the shard confirms it.
      confirmed_at timestamptz,
      ended_at timestamptz
    );
    create unique index punishments_in_force on punishments (account_key)
      where confirmed_at is not null and ended_at is null;
    create index punishments_account on punishments (account_key, issued_at);
    create index punishments_issued_by on punishments (issued_by);

    create table appeals (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      punishment_id integer not null references punishments,
      account text not null,
      reason text not null,
      state text not null default 'open'
        check (state in ('open', 'assigned', 'accepted', 'reduced', 'rejected', 'withdrawn')),
      assignee_id integer references users on delete set null,
      created_at timestamptz not null default now(),
      -- The last change visible to the owner. Notes of staff change neither this nor the count.
      updated_at timestamptz not null default now(),
      messages_count integer not null default 0,
      noted_at timestamptz,
      notes_count integer not null default 0,
      decided_at timestamptz,
      decided_by integer references users on delete set null,
      decision_note text,
      unban_status text check (unban_status in ('queued', 'done', 'failed')),
      unban_reason text
    );
    create unique index appeals_open on appeals (punishment_id)
      where state in ('open', 'assigned');
    create index appeals_user on appeals (user_id);
    create index appeals_punishment on appeals (punishment_id);
    create index appeals_state on appeals (state, id);
    create index appeals_assignee on appeals (assignee_id);
    create index appeals_decided_by on appeals (decided_by);

    create table appeal_messages (
      id integer generated always as identity primary key,
      appeal_id integer not null references appeals on delete cascade,
      author text not null check (author in ('player', 'staff')),
      author_id integer references users on delete set null,
      body text not null,
      internal boolean not null default false check (not internal or author = 'staff'),
      created_at timestamptz not null default now()
    );
    create index appeal_messages_appeal on appeal_messages (appeal_id, id);
    create index appeal_messages_author on appeal_messages (author_id);

    -- Bans that the shard reported earlier: the newest event of each account decides.
    insert into punishments (account_key, account, reason, issued_at, issuer_name, confirmed_at)
    select key, account, reason, at, issuer, at
    from (
      select distinct on (lower(payload ->> 'acct'))
        lower(payload ->> 'acct') as key, payload ->> 'acct' as account,
        coalesce(payload ->> 'detail', '') as reason, payload ->> 'by' as issuer,
        payload ->> 'action' as action, created_at as at
      from shard_events
      where kind = 'account.audit' and payload ->> 'action' in ('banned', 'unbanned')
      order by lower(payload ->> 'acct'), id desc
    ) newest
    where action = 'banned';
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query("drop table appeal_messages, appeals, punishments");
}
