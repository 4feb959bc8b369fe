import type { Transaction } from "sequelize";

import { readPost } from "../../content/posts/read-posts.ts";
import type { ParamValues } from "../../facts/param.ts";
import { type Announcement, publishFacts } from "../../facts/publish-facts.ts";
import type { CommandActor } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { defineAction, type StepAttempt, createDoneResult } from "./action.ts";
import { audienceIds, readAudience } from "./audiences.ts";

const owner = "site";

interface NoticeParams {
  readonly stream: "site.notice";
  readonly audience?: string | undefined;
  readonly server?: string | undefined;
}

const push = defineAction<NoticeParams>({
  id: "site.push",
  label: "Push a notice to subscribers",
  owner,
  risk: "notify",
  dimensions: ["pushes"],
  params: [
    {
      name: "stream",
      type: "stream",
      required: true,
      values: ["site.notice"],
      description: "The push stream to send on. The message contains only a reference to the run.",
    },
    {
      name: "audience",
      type: "enum",
      required: false,
      values: audienceIds,
      description: "The group of subscribers who receive the notice. By default, all subscribers.",
    },
    {
      name: "server",
      type: "server",
      required: false,
      description:
        "A survival server, by its slug or id. Limits the audiences `survival.linked` and " +
        "`survival.online` to players of this server.",
    },
  ],
  run: async ({ runId, params: { stream, audience, server }, idempotencyKey, effect }) => {
    const ref = String(runId);
    const call = { push: { stream, ref, ...(audience && { audience, server }) } };
    const result = await effect(call, (context) =>
      runOncePerStep(idempotencyKey, context, async (transaction) => {
        const whom = { audience, server, runId };
        const about = { stream, ref, key: idempotencyKey };
        const announcements = await buildNotices(whom, about, transaction);
        if (await publishFacts({ announcements }, { within: transaction, context })) return {};
        throw new Error("the announcement of the notice could not be stored");
      }),
    );
    return createDoneResult(result);
  },
});

/** Returns one notice for all subscribers, or one for each member of the audience. */
async function buildNotices(
  {
    audience,
    server,
    runId,
  }: Pick<NoticeParams, "audience" | "server"> & Pick<StepAttempt, "runId">,
  notice: Announcement,
  transaction: Transaction,
): Promise<Announcement[]> {
  if (!audience) return [notice];
  const userIds = await readAudience({ audience, server, runId }, transaction);
  return userIds.map((userId) => ({ ...notice, key: `${notice.key} ${userId}`, userId }));
}

const post = defineAction<{ postId: number }>({
  id: "site.post",
  label: "Publish a prepared post",
  owner,
  risk: "notify",
  params: [
    {
      name: "postId",
      type: "integer",
      required: true,
      min: 1,
      max: 2 ** 31 - 1,
      description: "The id of the post. Nothing happens if it is published already.",
    },
  ],
  run: async ({ params: { postId }, actor, idempotencyKey, effect }, context) => {
    const { status } = await readPost(postId, context);
    const { publishDraft } = await importPostWriting();
    const result = await effect(
      { publish: { postId } },
      (within) =>
        runOncePerStep(idempotencyKey, within, async (transaction) => {
          const publishing = { actor: requireUser(actor), transaction };
          return { postId, isNew: await publishDraft(postId, publishing, within) };
        }),
      { postId, isNew: status === "draft" },
    );
    return createDoneResult(result);
  },
});

/** Only a user can publish a post, not the service itself. */
function requireUser({ userId }: CommandActor) {
  if (userId === null) throw new AppError("role_required", "Only a user can publish a post");
  return { userId, apiToken: null };
}

export const siteActions = [push, post];

// Imported on demand: few steps write a post, and the text renderer takes megabytes of memory.
const importPostWriting = () => import("../../content/posts/write-post.ts");

/** Runs an effect on the site's own rows once per step; later attempts return the first result. */
const runOncePerStep = (
  idempotencyKey: string,
  { sequelize }: Pick<Context, "sequelize">,
  bringAbout: (transaction: Transaction) => Promise<ParamValues>,
): Promise<ParamValues> =>
  inTransaction(sequelize, async (transaction) => {
    const { EventEffect } = modelsOf(transaction);
    const begun = await EventEffect.claimOnce(idempotencyKey, transaction);
    if (!begun) return (await EventEffect.findByPk(idempotencyKey, { transaction }))?.result ?? {};
    const result = await bringAbout(transaction);
    await begun.update({ result: { ...result } }, { transaction });
    return result;
  });
