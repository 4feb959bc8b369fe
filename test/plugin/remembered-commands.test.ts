import { createHash, randomUUID } from "node:crypto";

import { describe, expect, it } from "vitest";

import {
  deleteUnneededOutcomesSql,
  storeOutcomeSql,
} from "../../shared/platform/plugin/commands.sql.ts";
import {
  markUnwrittenCommandsLost,
  pruneCommandsAndKeys,
} from "../../shared/platform/plugin/outcomes.ts";
import { query } from "../support/database/query.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { usePluginTestSite } from "../support/plugin/plugin-site.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const site = usePluginTestSite({ saysHello: true });

/** Sends a broadcast as an administrator, with this idempotency key or none. */
const broadcast = (text: string, key: string | null, by: TestServer = site.server) =>
  callRoute(by, "POST /admin/shard/broadcast", {
    headers: { ...site.admin.headers, ...(key !== null && { "idempotency-key": key }) },
    body: { text },
  });

describe("the digest of a command", () => {
  it("cannot be reproduced without the site's key", async () => {
    await callRoute(site.server, "PUT /admin/settings", {
      ...site.admin,
      body: { game_account_signup: true },
    });
    const served = site.plugin.serve(200, { account: "maple", linked: true });
    const made = await callRoute(site.server, "POST /player/shard/account", {
      headers: site.admin.headers,
      body: { account: "maple", password: "a-long-walk-to-Luna" },
    });
    expect(made.status).toBe(201);
    const { ip } = (await served).body as { ip: string };
    const [row] = await query<{ digest: Buffer; outcomeDigest: Buffer }>(
      site.server,
      `select digest, outcome_digest as "outcomeDigest" from plugin_commands`,
    );
    const sha = (text: string) => createHash("sha256").update(text).digest("hex");
    const body = { account: "maple", password: "a-long-walk-to-Luna", ip };
    const guess = sha(JSON.stringify(["POST /v1/accounts", { params: {}, query: {}, body }]));
    expect(row?.digest.toString("hex")).not.toBe(guess);
    const guessed = sha(`200 ${JSON.stringify({ account: "maple", linked: true })}`);
    expect(row?.outcomeDigest.toString("hex")).not.toBe(guessed);
  });

  it("is the same for a repeated command after the site got a new first key", async () => {
    const renewed = await startTestServer({
      database: site.server.database,
      environment: {
        JWT_KEYS: `new:${Buffer.alloc(32, 9).toString("base64")},test:${Buffer.alloc(32, 7).toString("base64")}`,
      },
    });
    try {
      const key = randomUUID();
      const served = site.plugin.serve(200, { ok: true });
      expect((await broadcast("once", key)).status).toBe(200);
      await served;
      expect(statusAndBodyOf(await broadcast("once", key, renewed))).toEqual([200, { ok: true }]);
      expect((await broadcast("another text", key, renewed)).status).toBe(409);
    } finally {
      await renewed.stop();
    }
  });
});

/** Returns the stored outcomes, ordered by the age of their commands. */
const kept = async () =>
  (
    await query<{ outcome: string | null }>(
      site.server,
      `select case when octet_length(outcome) > 1000000 then '"kept"' else outcome end as outcome
       from plugin_commands order by number`,
    )
  ).map(({ outcome: text }) => text && (JSON.parse(text) as object));

describe("the outcome of a command without an idempotency key", () => {
  it("is deleted once its caller has it, and the plugin may send the same outcome again", async () => {
    const served = site.plugin.serve(200, { ok: true });
    expect(statusAndBodyOf(await broadcast("once", null))).toEqual([200, { ok: true }]);
    const { id } = await served;
    expect(await kept()).toEqual([null]);
    expect((await site.plugin.answer(id, 200, { ok: true })).status).toBe(204);
    expect((await site.plugin.answer(id, 200, { ok: false })).status).toBe(409);
    expect(await kept()).toEqual([null]);
  });

  it("is not stored if its caller gave up before it arrived", async () => {
    const hurried = await startTestServer({
      database: site.server.database,
      shard: { callMs: 2_500 },
    });
    try {
      const asked = broadcast("slowly", null, hurried);
      const [command] = await site.plugin.take();
      expect((await asked).status).toBe(503);
      expect((await site.plugin.answer(command?.id ?? "", 200, { ok: true })).status).toBe(204);
      expect(await kept()).toEqual([null]);
    } finally {
      await hurried.stop();
    }
  });

  it("is deleted after ten minutes if the process of its caller died", async () => {
    const key = randomUUID();
    const served = site.plugin.serve(200, { ok: true });
    expect((await broadcast("once", key)).status).toBe(200);
    await served;
    const died = "update plugin_commands set kept_for = 'caller'";
    await query(site.server, died);
    await pruneCommandsAndKeys(site.server.context);
    expect(await kept()).toEqual([{ ok: true }]);
    await query(
      site.server,
      `update plugin_commands set answered_at = now() - interval '11 minutes',
         answer_before = now() - interval '11 minutes'`,
    );
    await pruneCommandsAndKeys(site.server.context);
    expect(await kept()).toEqual([null]);
  });
});

/** An outcome larger than 64 KiB. */
const large = { ok: true, more: "x".repeat(100_000) };

describe("the outcome of a command under an idempotency key", () => {
  it("is kept for repeated requests, even if it is large", async () => {
    const key = randomUUID();
    const served = site.plugin.serve(200, large);
    const first = await broadcast("once", key);
    await served;
    expect(first.status).toBe(200);
    expect(statusAndBodyOf(await broadcast("once", key))).toEqual(statusAndBodyOf(first));
    expect(await kept()).toEqual([large]);
  });

  it("is deleted after ten minutes if the plugin refused the command", async () => {
    const served = site.plugin.serve(403, { code: "WRITES_DISABLED" });
    expect((await broadcast("once", randomUUID())).status).toBe(403);
    await served;
    await query(
      site.server,
      `update plugin_commands set answered_at = now() - interval '11 minutes',
         answer_before = now() - interval '11 minutes'`,
    );
    await pruneCommandsAndKeys(site.server.context);
    expect(await kept()).toEqual([null]);
  });

  it("is deleted early if there are too many large outcomes, and a repeated request is then answered 502", async () => {
    const [oldest, small, newest] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [key, body] of [
      [oldest, large],
      [small, { ok: true }],
    ] as const) {
      const served = site.plugin.serve(200, body);
      expect((await broadcast("once", key)).status).toBe(200);
      await served;
    }
    await query(site.server, "update plugin_commands set answered_at = now() - interval '1 hour'");
    await query(
      site.server,
      `insert into plugin_commands (id, source, call, input, key, digest, state, is_read, take_before,
         answer_before, answered_at, status, outcome)
       select gen_random_uuid(), 'shard', 'POST /v1/broadcast', '{}', 'key ' || n, '', 'answered', false,
         now(), now(), now() - interval '30 minutes', 200, '"' || repeat('x', 13_400_000) || '"'
       from generate_series(1, 5) n`,
    );
    const served = site.plugin.serve(200, large);
    expect((await broadcast("once", newest)).status).toBe(200);
    await served;
    const [ofOldest, ofSmall, ...others] = await kept();
    expect([ofOldest, ofSmall, others.at(-1)]).toEqual([null, { ok: true }, large]);
    expect(others.filter((one) => one === null)).toEqual([]);
    const repeat = await broadcast("once", oldest);
    expect(statusAndBodyOf(repeat)).toEqual([
      502,
      {
        error:
          "The game server has already answered this command, but the site no longer stores the large " +
          "answer: do not repeat the command, and read the changed objects instead",
      },
    ]);
    expect((await site.plugin.wait(0)).body).toEqual({ commands: [] });
    expect(statusAndBodyOf(await broadcast("once", small))).toEqual([200, { ok: true }]);
  });
});

describe("the caller of a lost command", () => {
  /**
   * Loses a command after the plugin has taken it.
   * @param lose marks the command as lost
   * @returns the error message that the caller gets
   */
  async function toldOf(lose: (id: string) => Promise<unknown>): Promise<unknown> {
    const asked = broadcast("lost", randomUUID());
    const [command] = await site.plugin.take();
    await lose(command?.id ?? "");
    const { status, body } = await asked;
    expect(status).toBe(503);
    return (body as { error: string }).error;
  }

  it("gets an error that the plugin probably received nothing, if the connection broke during sending", async () => {
    const told = await toldOf((id) =>
      markUnwrittenCommandsLost([id], site.server.context.sequelize),
    );
    expect(told).toBe(
      "The connection to the plugin broke while the site sent the command. The plugin probably did " +
        "not receive it: check in the game that the command was not executed, then send it again",
    );
  });

  it("gets an error that the effect is unknown, if the game server restarted", async () => {
    const told = await toldOf(() => site.plugin.another().hello());
    expect(told).toBe(
      "The game server restarted after it received the command and before it answered. Nobody knows " +
        "whether the command was executed: check in the game before you send it again",
    );
  });

  it("is asked to send the request again, if the command only reads", async () => {
    const asked = callRoute(site.server, "GET /admin/shardlink/towncrier", site.admin);
    const [read] = await site.plugin.take();
    await markUnwrittenCommandsLost([read?.id ?? ""], site.server.context.sequelize);
    expect(statusAndBodyOf(await asked)).toEqual([
      503,
      {
        error: "The connection to the plugin broke while the site sent the request: send it again",
      },
    ]);
  });
});

/** Inserts 100,000 answered commands with keys, spread over a day. */
const fillDay = async () => {
  await query(
    site.server,
    `insert into plugin_commands (id, source, call, input, key, digest, state, is_read, take_before,
       answer_before, answered_at, status, outcome)
     select gen_random_uuid(), 'shard', 'POST /v1/broadcast', '{}', 'key ' || n, '', 'answered', false,
       now(), now(), now() - n * interval '0.8 seconds', 200, '{}'
     from generate_series(1, 100000) n`,
  );
  await query(site.server, "analyze plugin_commands");
};

const planOf = async (statement: string, ...values: unknown[]) => {
  const lines = await query<Record<string, string>>(site.server, `explain ${statement}`, ...values);
  return lines.flatMap((line) => Object.values(line)).join("\n");
};

describe("among 100,000 commands", () => {
  it("the late outcome of a lost command is stored through the index of keys", async () => {
    const asked = broadcast("late", randomUUID());
    const [command] = await site.plugin.take();
    const id = command?.id ?? "";
    await markUnwrittenCommandsLost([id], site.server.context.sequelize);
    expect((await asked).status).toBe(503);
    await fillDay();
    const plan = await planOf(storeOutcomeSql.text, id, "shard", 200, "{}", Buffer.alloc(32), 1);
    expect(plan).toMatch(/Index (Only )?Scan using plugin_commands_later on plugin_commands later/);
    expect((await site.plugin.answer(id, 200, { ok: true })).status).toBe(204);
    expect((await kept())[0]).toEqual({ ok: true });
  });

  it("outcomes that no caller can request anymore are found through their index", async () => {
    await fillDay();
    expect(await planOf(deleteUnneededOutcomesSql, 10)).toContain("plugin_commands_unasked");
  });
});
