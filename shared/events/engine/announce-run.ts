import type { Transaction } from "sequelize";

import type { Context } from "../../context.ts";
import { announce } from "../../push/announce/announce.ts";
import type { RunState } from "../machine/state.ts";
import type { RunFacts } from "./lock-run.ts";

/** Announces that a run began or is complete, where everybody may know of it. */
export async function announceRun(
  before: RunState,
  after: RunState,
  { isAnnounced, rehearsal }: RunFacts,
  {
    transaction,
    context,
  }: {
    readonly transaction: Transaction;
    readonly context: Pick<Context, "queue" | "log">;
  },
): Promise<void> {
  if (!isAnnounced || rehearsal || before.status === after.status) return;
  const ref = String(after.id);
  const news = [
    ...(before.status === "scheduled" && after.startedAt ? (["event.started"] as const) : []),
    ...(after.status === "completed" ? (["event.completed"] as const) : []),
  ];
  const announcements = news.map((stream) => ({ stream, ref, key: `run ${ref}` }));
  await announce(announcements, transaction, context);
}
