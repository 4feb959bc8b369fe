import type { SurvivalPush } from "../../../../models/survival/survival-push.ts";
import type { Context } from "../../../platform/context.ts";
import { rows } from "../../../platform/db/rows.ts";
import type { PushName } from "../push-names.ts";
import { wakeLater } from "../settle-push.ts";

/** What should have been taken up by then was left by a worker that died. */
const lateSeconds = 30;

/** Takes up what the jobs of dead workers left, and pushes that servers never told the outcome of. */
export async function sweepPushes({ sequelize, queue, config }: Context): Promise<void> {
  const late = lateSeconds + config.SURVIVAL_DEBOUNCE / 1_000;
  for (const push of await rows<Left>(sequelize, left, [late])) {
    await wakeLater(push, 0, queue);
  }
}

interface Left extends Pick<SurvivalPush, "serverId" | "name"> {
  readonly name: PushName;
}

const left = `
  select push.server_id as "serverId", push.name from survival_pushes push
  join survival_servers server on server.id = push.server_id
  where server.enabled and push.asked > push.pushed
    and (push.state = 'waiting' and push.asked_at < clock_timestamp() - make_interval(secs => $1)
      or push.state = 'pushing' and push.busy_until < clock_timestamp()
      or push.state in ('failed', 'offline') and push.retry_at < clock_timestamp())
  order by push.server_id, push.name`;
