import type { SurvivalConfigWrite } from "../../../models/survival/survival-config-write.ts";
import type { Context } from "../../platform/context.ts";
import type { Notice } from "../kinds/notice.ts";

/**
 * What others are told of writes that were lost within the day in which staff want to know, whether a
 * job has noted that or not.
 */
export async function lostWrites(
  serverIds: readonly number[],
  { models }: Pick<Context, "models">,
): Promise<Notice[]> {
  const found = await models.SurvivalConfigWrite.scope("lostLately").findAll({
    where: { serverId: [...serverIds] },
    attributes: ["serverId", "writeId", "plugin", "settleBy"],
    raw: true,
  });
  return found.map(({ serverId, settleBy, ...write }) =>
    outcomeNotice({ ...write, outcome: "lost" }, serverId, settleBy.valueOf()),
  );
}

interface Ended extends Pick<SurvivalConfigWrite, "writeId" | "plugin"> {
  readonly outcome: "ok" | "failed" | "rolled-back" | "lost";
}

/** A write ends once: what is told of it first stays. */
export const outcomeNotice = (ended: Ended, serverId: number, t: number): Notice => ({
  id: "survival.config.outcome",
  serverId,
  key: `config:${ended.writeId}`,
  t,
  variables: { ...ended },
});
