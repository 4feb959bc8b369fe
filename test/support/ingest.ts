import type { Context } from "../../shared/context.ts";
import { becomeOwner } from "../../shared/ingest/ownership.ts";
import { ShardIngest } from "../../shared/shard/ingest/shard-ingest.ts";
import { sealToken } from "../../shared/shard/shardlink.ts";
import type { Simulator } from "../simulator/simulator.ts";

export interface TestIngest {
  readonly ingest: ShardIngest;
  stop(): Promise<void>;
}

/** Points the link at a simulator, as an administrator would have saved it. */
export async function linkTo(
  simulator: Pick<Simulator, "baseUrl" | "wsUrl" | "token">,
  { sequelize, config }: Context,
): Promise<void> {
  await sequelize.query(
    `update shardlink set base_url = $1, ws_url = $2, token_sealed = $3, protocol = 8, enabled = true`,
    { bind: [simulator.baseUrl, simulator.wsUrl, sealToken(simulator.token, config.SECRETS_KEYS)] },
  );
  await sequelize.query("select pg_notify('shardlink_config', '{}')");
}

/** Takes in the shard's events in this process, as the ingest process does. */
export async function startTestIngest(context: Context): Promise<TestIngest> {
  const stopping = new AbortController();
  const { config, log } = context;
  const options = { url: config.DATABASE_URL, source: "shard", log, signal: stopping.signal };
  const owner = await becomeOwner(options);
  const ingest = new ShardIngest(context, owner);
  const running = ingest.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await running;
    await owner.release();
  };
  return { ingest, stop };
}
