import type { Sequelize } from "sequelize";

import { firstRow } from "../../platform/db/rows.ts";

type HookState = "well" | "failing" | "off";

/** What is measured of webhooks as a whole. */
export interface WebhookFacts {
  readonly hooks: Readonly<Record<HookState, number>>;
  /** Those that are not over. */
  readonly deliveries: Readonly<Record<"waiting" | "trying", number>>;
  /** Of what could be sent now: what waits for a webhook that is off, or asked to be left alone, is not. */
  readonly oldestSeconds: number;
}

const statement = `
  select (
    select json_build_object(
      'well', count(*) filter (where enabled and failing_since is null),
      'failing', count(*) filter (where enabled and failing_since is not null),
      'off', count(*) filter (where not enabled))
    from webhooks
  ) as hooks, (
    select json_build_object(
      'waiting', count(*) filter (where state = 'waiting'),
      'trying', count(*) filter (where state = 'trying'))
    from webhook_deliveries where state in ('waiting', 'trying')
  ) as deliveries, (
    select coalesce(extract(epoch from clock_timestamp() - min(greatest(next_at, held_until))), 0)::float8
    from webhook_deliveries join webhooks hook on hook.id = webhook_id
    where state in ('waiting', 'trying') and next_at <= clock_timestamp() and hook.enabled
      and coalesce(held_until <= clock_timestamp(), true)
  ) as "oldestSeconds"`;

const none: WebhookFacts = {
  hooks: { well: 0, failing: 0, off: 0 },
  deliveries: { waiting: 0, trying: 0 },
  oldestSeconds: 0,
};

export const readWebhookFacts = async (sequelize: Sequelize): Promise<WebhookFacts> =>
  (await firstRow<WebhookFacts>(sequelize, statement)) ?? none;
