import { serviceActor } from "../../platform/bridge/calls/call.ts";
import type { Control } from "../../platform/bridge/calls/control.ts";
import type { Context } from "../../platform/context.ts";
import { readMoment } from "../../platform/db/late-answers.ts";
import type { Question } from "../../platform/ingest/follow-up.ts";
import type { Ownership } from "../../platform/ingest/ownership.ts";
import { listLinks, resync } from "../calls/bridge-calls.ts";
import { orderUnlinking } from "../links/unlinking.ts";
import { reconcileLinks } from "../owners/link-mirror.ts";
import { readStale } from "../states/stale.ts";

/** Requests to the shard's sidecar: the links, and snapshots of stale states. */
export const shardQuestions = (context: Pick<Context, "queue">): readonly Question[] => [
  (control, owner) => takeLinks(control, owner, context),
  askForStates,
];

async function takeLinks(
  control: Control,
  owner: Ownership,
  context: Pick<Context, "queue">,
): Promise<boolean> {
  const askedAt = await owner.use(readMoment);
  const { links } = await control.read(listLinks);
  await owner.useTransaction(async (connection) => {
    await owner.hold(connection);
    await reconcileLinks(links, askedAt, connection);
    await orderUnlinking(links, connection, context);
  });
  return false;
}

async function askForStates(control: Control, owner: Ownership): Promise<boolean> {
  const families = await owner.use((connection) => readStale(owner.source, connection));
  if (families.length === 0) return false;
  await control.command(resync, { actor: serviceActor }, { body: { families } });
  return true;
}
