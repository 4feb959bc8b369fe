import type { Actor } from "../../bridge/call.ts";
import { readPost } from "../../content/posts/read-posts.ts";
import { inTransaction } from "../../db/transaction.ts";
import { AppError } from "../../errors.ts";
import { announce } from "../../push/announce/announce.ts";
import { audienceIds, readMembers } from "../audiences/audiences.ts";
import { action, done } from "./action.ts";

const owner = "site";

interface Notice {
  readonly stream: "site.notice";
  readonly audience?: string;
  readonly server?: string;
}

const push = action<Notice>({
  id: "site.push",
  label: "Push a notice to whoever wants them",
  owner,
  risk: "notify",
  dimensions: ["pushes"],
  params: [
    {
      name: "stream",
      type: "stream",
      required: true,
      values: ["site.notice"],
      description: "The stream of notices; the message names the run.",
    },
    {
      name: "audience",
      type: "enum",
      required: false,
      values: audienceIds,
      description: "Whom of those who want notices it is for; without it all of them.",
    },
    {
      name: "server",
      type: "server",
      required: false,
      description: "A survival server, by its slug or id, to which the audience is narrowed.",
    },
  ],
  run: async ({ runId, params: { stream, audience, server }, idempotencyKey, effect }) => {
    const ref = String(runId);
    const call = { push: { stream, ref, ...(audience && { audience, server }) } };
    const result = await effect(call, async (context) => {
      const notice = { stream, ref, key: idempotencyKey };
      await inTransaction(context.sequelize, async (transaction) => {
        if (!audience) return announce([notice], transaction, context);
        const userIds = await readMembers({ audience, server, runId }, transaction);
        const notices = userIds.map((userId) => ({
          ...notice,
          key: `${idempotencyKey} ${userId}`,
          userId,
        }));
        return announce(notices, transaction, context);
      });
      return {};
    });
    return done(result);
  },
});

const post = action<{ postId: number }>({
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
      description: "The id of the post, which is a draft until then.",
    },
  ],
  run: async ({ params: { postId }, actor, effect }, context) => {
    const { status } = await readPost(postId, context);
    // A post that is public, or will be at its own time, is left as editors have it.
    if (status === "published") return done({ postId, isNew: false });
    const { changePost } = await loadPostWriting();
    const result = await effect({ publish: { postId } }, async (within) => {
      await changePost(postId, { status: "published" }, personOf(actor), within);
      return { postId, isNew: true };
    });
    return done(result);
  },
});

/** Posts are published by users alone, and not by the service. */
function personOf({ userId }: Actor) {
  if (userId === null) throw new AppError("role_required", "Nobody publishes the post");
  return { userId, apiToken: null };
}

/** What an event does on the site itself. */
export const siteActions = [push, post];

// Few steps write a post, and what renders its text takes megabytes.
const loadPostWriting = () => import("../../content/posts/write-post.ts");
