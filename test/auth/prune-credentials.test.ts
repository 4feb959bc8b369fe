import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { pruneCredentials } from "../../shared/auth/prune-credentials.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { createTestUser } from "../support/sign-in.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const query = (sql: string, ...bind: unknown[]) => server.context.sequelize.query(sql, { bind });

/** One row of each kind, with its end so far from now. */
async function plant(userId: number, end: string): Promise<void> {
  const at = `now() + interval '${end}'`;
  const bytes = `sha256(gen_random_uuid()::text::bytea)`;
  await query(
    `insert into revoked_tokens (token_id, user_id, expires_at)
     values (gen_random_uuid(), $1, ${at})`,
    userId,
  );
  await query(
    `insert into auth_challenges (id, user_id, kind, issued_at, expires_at)
     values (gen_random_uuid(), $1, 'totp', 0, ${at})`,
    userId,
  );
  await query(
    `insert into trusted_devices (user_id, token_hash, label, expires_at)
     values ($1, ${bytes}, 'x', ${at})`,
    userId,
  );
  await query(
    `with family as (insert into mobile_families (user_id, signed_in_at, expires_at)
       values ($1, 0, ${at}) returning id)
     insert into mobile_sessions (family_id, token_hash, issued_at, expires_at)
     select id, ${bytes}, 0, ${at} from family`,
    userId,
  );
  await query(
    `insert into password_resets (token_hash, user_id, expires_at) values (${bytes}, $1, ${at})`,
    userId,
  );
  await query(`insert into invites (role, expires_at) values ('player', ${at})`);
  await query(
    `insert into rate_limits (key, points, expire)
     values (gen_random_uuid(), 1, extract(epoch from ${at}) * 1000)`,
  );
  await query(
    `insert into ip_reputation (address_key, score, scored_at) values (gen_random_uuid(), 1, ${at})`,
  );
}

describe("the pruning of credentials", () => {
  it("deletes what has ended and nothing that lives", async () => {
    const { userId } = await createTestUser(server);
    const gone = await createTestUser(server);
    await plant(userId, "1 hour");
    await plant(gone.userId, "-3 years");
    await query(
      `insert into totp_pending (user_id, secret_sealed, expires_at)
       values ($1, 'x', now() + interval '1 hour'), ($2, 'x', now() - interval '1 hour')`,
      userId,
      gone.userId,
    );
    const kinds = [
      "revoked_tokens",
      "auth_challenges",
      "totp_pending",
      "trusted_devices",
      "mobile_sessions",
      "mobile_families",
      "password_resets",
      "invites",
      "rate_limits",
      "ip_reputation",
    ];
    const each = (count: number) => Object.fromEntries(kinds.map((kind) => [kind, count]));
    expect(await pruneCredentials(server.context)).toEqual(each(1));
    expect(await pruneCredentials(server.context)).toEqual(each(0));
    for (const kind of kinds) {
      const [rows] = await query(`select count(*)::integer as left from ${kind}`);
      expect([kind, rows]).toEqual([kind, [{ left: 1 }]]);
    }
  });

  it("remembers who was banned or blocked of late", async () => {
    await query(
      `insert into ip_reputation (address_key, scored_at, banned_until, login_blocked_until) values
       ('banned', now() - interval '9 days', now() - interval '1 day', null),
       ('blocked', now() - interval '9 days', null, now() - interval '1 day')`,
    );
    const { ip_reputation } = await pruneCredentials(server.context);
    expect(ip_reputation).toBe(0);
  });

  it("remembers them for as long as bans are said to be remembered", async () => {
    await query(
      `insert into ip_reputation (address_key, scored_at, banned_until)
       values ('long ago', now() - interval '9 days', now() - interval '8 days')`,
    );
    const { sequelize, config } = server.context;
    const patient = { ...config, BOT_BAN_LONGEST: 8 * 86_400_000 };
    expect((await pruneCredentials({ sequelize, config: patient }))["ip_reputation"]).toBe(0);
    expect((await pruneCredentials({ sequelize, config }))["ip_reputation"]).toBe(1);
  });

  it("deletes any number of rows", async () => {
    await query(
      "insert into rate_limits (key, points, expire) select 'old:' || n, 1, 1 from generate_series(1, 12001) n",
    );
    const { rate_limits } = await pruneCredentials(server.context);
    expect(rate_limits).toBe(12_001);
  });
});
