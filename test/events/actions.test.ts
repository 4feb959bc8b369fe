import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import type { StepAttempt } from "../../shared/events/actions/action.ts";
import { findAction } from "../../shared/events/actions/catalogue.ts";
import type { ParamValues } from "../../shared/facts/param.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { timeoutMs } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { query } from "../support/database/query.ts";
import { pushesOf } from "../support/factories/push.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { expectedDuplicateCalls } from "../support/plugin/over-sidecar.ts";
import {
  findReceivedCommands,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;
beforeAll(async () => {
  shard = await startLinkedShard();
  admin = await signIn(shard.server, { role: "admin" });
});
afterAll(() => shard.stop());

let count = 0;

interface ActionInput {
  readonly params?: ParamValues;
  readonly key?: string;
  readonly rehearsal?: boolean;
  readonly results?: Readonly<Record<string, ParamValues>>;
}

/** Runs an action as a step does. @returns its outcome, and the calls that caused effects */
async function run(
  id: string,
  { params = {}, key, rehearsal = false, results = {} }: ActionInput = {},
) {
  const { context } = shard.server;
  const calls: ParamValues[] = [];
  const attempt: StepAttempt = {
    runId: 7,
    params,
    idempotencyKey: key ?? `evt:test:7:${++count}`,
    actor: { userId: admin.userId, username: admin.username, role: "admin" },
    signal: AbortSignal.timeout(timeoutMs),
    resultOf: async (stepKey) => results[stepKey],
    effect: async (call, bringAbout) => {
      calls.push(call);
      return rehearsal ? {} : bringAbout(context);
    },
  };
  const outcome = await findAction(id)?.run(attempt, context);
  return { outcome, calls };
}

const commands = (path: string) => findReceivedCommands(shard, path);
const done = (result: object) => ({ kind: "done", result });

describe("actions on the shard", () => {
  it("are sent under the step's idempotency key, in the name of the run's starter, and carried out once", async () => {
    const key = "evt:installation:7:31";
    const params = { text: "Barracoon stirs!", hue: 33 };
    const { outcome } = await run("shard.broadcast", { params, key });
    expect(outcome).toEqual(done({ ok: true, recipients: expect.any(Number) }));
    expect((await run("shard.broadcast", { params, key })).outcome).toEqual(outcome);
    const sent = commands("/v1/broadcast");
    expect(sent.map((command) => command.key)).toEqual(expectedDuplicateCalls(key, key));
    expect(sent.map(({ carriedOut }) => carriedOut)).toEqual(expectedDuplicateCalls(true, false));
    const { userId, username } = admin;
    expect(sent[0]?.actor).toEqual({ userId, username, role: "admin" });
  });

  it("add a town crier message, and a later step removes it by the id in the result", async () => {
    const lines = "The gates open at noon.\nBring a torch.\n";
    const added = await run("shard.towncrier.add", { params: { lines, durationSec: 600 } });
    expect(added.outcome).toEqual(done({ id: expect.any(String) }));
    expect(added.calls).toEqual([
      { addTownCrier: { lines: ["The gates open at noon.", "Bring a torch."], durationSec: 600 } },
    ]);
    const { result } = added.outcome as { result: ParamValues };
    const removal = { params: { step: "cry" }, results: { cry: result } };
    expect((await run("shard.towncrier.remove", removal)).outcome).toEqual(done({ removed: true }));
    await expect(run("shard.towncrier.remove", { params: { step: "cry" } })).rejects.toThrow(
      "the step cry added no message",
    );
  });

  it("start and stop a champion, and report the shard's status", async () => {
    const id = shard.simulator.world.champions.keys()[0] as string;
    expect((await run("shard.champion.start", { params: { id } })).outcome).toEqual(
      done({ ok: true, id }),
    );
    expect(shard.simulator.world.champions.get(id)?.state).not.toBe("idle");
    expect((await run("shard.champion.stop", { params: { id } })).outcome).toEqual(
      done({ ok: true, id }),
    );
    expect(shard.simulator.world.champions.get(id)?.state).toBe("idle");
    expect((await run("shard.status")).outcome).toEqual(
      done({ pluginConnected: true, bootId: expect.any(String) }),
    );
  });

  it("only record their calls in a rehearsal, without sending commands", async () => {
    const before = shard.simulator.received.commands.length;
    const tried = await run("shard.broadcast", { params: { text: "Hear ye" }, rehearsal: true });
    expect(tried.calls).toEqual([{ broadcast: { text: "Hear ye" } }]);
    expect(shard.simulator.received.commands.length).toBe(before);
  });
});

describe("actions on the site", () => {
  it("push a notice once if the step is tried twice, and never in a rehearsal", async () => {
    const params = { stream: "site.notice" };
    await run("site.push", { params, key: "evt:once" });
    await run("site.push", { params, key: "evt:once" });
    await run("site.push", { params, key: "evt:rehearsed", rehearsal: true });
    expect(await pushesOf(shard.server, {}, ["stream", "ref", "eventKey"])).toEqual([
      { stream: "site.notice", ref: "7", eventKey: "evt:once" },
    ]);
  });

  it("push a notice only to the members of an audience, once each", async () => {
    const [linked, playing] = [await signIn(shard.server), await signIn(shard.server)];
    // Sign in another user, who has no linked account and so belongs to no audience.
    await signIn(shard.server);
    const { id: serverId, slug } = await buildSurvivalServer(shard.server, { enabled: true });
    const idOf = (at: number) => `7656119800000000${at}`;
    for (const [at, { userId }] of [linked, playing].entries()) {
      const link = { steamId: idOf(at), name: "Anna", userId };
      await shard.server.context.models.SteamLink.create(link);
    }
    const { IngestSource, SurvivalPresence } = shard.server.context.models;
    const player = { serverId, steamId: idOf(1), name: "A", connectedAt: new Date() };
    await SurvivalPresence.create(player);
    const link = (state: "connected" | "reconnecting") =>
      IngestSource.update(
        { state, pluginConnected: true, beatAt: clockNowPlus(3_600_000) },
        { where: { source: sourceNameOf(serverId) } },
      );
    await link("connected");
    const usersOf = async (params: object) => {
      await deleteAll(shard.server, "Push");
      const key = `evt:audience:${++count}`;
      await run("site.push", { params: { stream: "site.notice", ...params }, key });
      await run("site.push", { params: { stream: "site.notice", ...params }, key });
      const pushed = await pushesOf(shard.server, {}, ["userId"]);
      return pushed.map(({ userId }) => Number(userId)).toSorted((one, two) => one - two);
    };
    expect(await usersOf({ audience: "survival.linked" })).toEqual([linked.userId, playing.userId]);
    expect(await usersOf({ audience: "survival.linked", server: slug })).toEqual([]);
    expect(await usersOf({ audience: "survival.online", server: String(serverId) })).toEqual([
      playing.userId,
    ]);
    // While the connection to the server is lost, the stored list of online players is not used.
    await link("reconnecting");
    expect(await usersOf({ audience: "survival.online" })).toEqual([]);
    expect(await usersOf({ audience: "survival.participants" })).toEqual([]);
    await expect(usersOf({ audience: "survival.online", server: "none" })).rejects.toThrow(
      "Unknown server",
    );
  });

  it("publish a draft post, and leave a published post unchanged", async () => {
    const body = { title: "The feast", body: "Tonight." };
    const made = await shard.as(admin, "POST /admin/posts", { body });
    const { id: postId } = made.body as { id: number };
    await run("site.post", { params: { postId }, rehearsal: true });
    const draft = await standingOf(postId);
    const first = await run("site.post", { params: { postId } });
    const published = await standingOf(postId);
    const again = await run("site.post", { params: { postId } });
    expect([draft.status, published.status]).toEqual(["draft", "published"]);
    expect([first.outcome, again.outcome]).toEqual([
      done({ postId, isNew: true }),
      done({ postId, isNew: false }),
    ]);
    expect(await standingOf(postId)).toEqual(published);
    await expect(run("site.post", { params: { postId: 999_999 } })).rejects.toThrow("Unknown post");
  });

  const madePost = async (title: string): Promise<number> => {
    const body = { title, body: "Tonight." };
    const made = await shard.as(admin, "POST /admin/posts", { body });
    return (made.body as { id: number }).id;
  };
  const standingOf = async (postId: number) => {
    const { Post } = shard.server.context.models;
    const { status, revision } = await Post.findByPk(postId, { rejectOnEmpty: true });
    return { status, revision };
  };

  it("publish a post once per step, even if an editor withdraws it between attempts", async () => {
    const postId = await madePost("The ball");
    const key = "evt:published-once";
    const attempts = Array.from({ length: 5 }, () => run("site.post", { params: { postId }, key }));
    for (const { outcome } of await Promise.all(attempts)) {
      expect(outcome).toEqual(done({ postId, isNew: true }));
    }
    expect(await standingOf(postId)).toEqual({ status: "published", revision: 2 });
    await shard.as(admin, `PUT /admin/posts/${postId}`, { body: { status: "draft" } });
    const late = await run("site.post", { params: { postId }, key });
    expect(late.outcome).toEqual(done({ postId, isNew: true }));
    expect(await standingOf(postId)).toEqual({ status: "draft", revision: 3 });
  });

  it("push a notice once per step, and not to users who join the audience later", async () => {
    const pushed = () => {
      const where = { eventKey: { [Op.like]: "evt:since%" } };
      return shard.server.context.models.Push.count({ where });
    };
    const params = { stream: "site.notice", audience: "survival.linked" };
    await run("site.push", { params, key: "evt:since" });
    const before = await pushed();
    const { userId } = await signIn(shard.server);
    const link = { steamId: "76561198000000009", name: "Bea", userId };
    await shard.server.context.models.SteamLink.create(link);
    await run("site.push", { params, key: "evt:since" });
    expect([before, await pushed()]).toEqual([2, 2]);
  });

  it("fail and change nothing if the announcement fails, and succeed at the next attempt", async () => {
    const postId = await madePost("The hunt");
    const tellings = [
      ["site.push", { stream: "site.notice" }, "evt:untold-notice"],
      ["site.post", { postId }, "evt:untold-post"],
    ] as const;
    await query(
      shard.server,
      `create function refuse_push() returns trigger language plpgsql as
       'begin raise exception ''no''; end'`,
    );
    await query(
      shard.server,
      "create trigger refuse before insert on pushes for each row execute function refuse_push()",
    );
    for (const [id, params, key] of tellings) {
      await expect(run(id, { params, key })).rejects.toThrow("could not be stored");
    }
    const [untold] = [await standingOf(postId)];
    await query(shard.server, "drop function refuse_push cascade");
    for (const [id, params, key] of tellings) await run(id, { params, key });
    expect([untold, await standingOf(postId)]).toEqual([
      { status: "draft", revision: 1 },
      { status: "published", revision: 2 },
    ]);
    const eventKey = ["evt:untold-notice", `post ${postId}`];
    expect(await pushesOf(shard.server, { eventKey }, ["stream", "ref"])).toEqual([
      { stream: "site.notice", ref: "7" },
      { stream: "news.post", ref: String(postId) },
    ]);
  });
});

describe("actions of the event module itself", () => {
  it("wait for a time, and wait for a person's confirmation", async () => {
    expect((await run("core.wait", { params: { seconds: 5 } })).outcome).toEqual({
      kind: "wait",
      seconds: 5,
    });
    expect((await run("core.confirm")).outcome).toEqual({
      kind: "park",
      reason: "to be confirmed",
    });
    expect((await run("core.confirm", { params: { message: "All there?" } })).outcome).toEqual({
      kind: "park",
      reason: "All there?",
    });
  });
});
