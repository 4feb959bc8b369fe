import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { Context } from "../../../shared/context.ts";
import { SourceKeeper } from "../../../shared/ingest/source-keeper.ts";
import { keepSurvivalSources } from "../../../shared/survival/ingest/keep-sources.ts";
import { sealServerToken } from "../../../shared/survival/sidecar/server-link.ts";
import type { SurvivalSimulator } from "../../simulator/survival/simulator.ts";
import { buildSurvivalServer } from "../factories/survival.ts";

/** A server whose link leads to a simulator, as an administrator would have saved it. */
export async function linkSurvivalServer(
  context: Context,
  { baseUrl, wsUrl, token }: Pick<SurvivalSimulator, "baseUrl" | "wsUrl" | "token">,
  given: Parameters<typeof buildSurvivalServer>[1] = {},
): Promise<SurvivalServer> {
  const server = await buildSurvivalServer({ context }, { baseUrl, wsUrl, ...given });
  const tokenSealed = sealServerToken(server.id, token, context.config.SECRETS_KEYS);
  return server.update({ tokenSealed, enabled: true });
}

/** Takes in every enabled survival server in this process, as the ingest process does. */
export async function startSurvivalIngest(context: Context): Promise<{ stop(): Promise<void> }> {
  const keeper = new SourceKeeper(context);
  const following = await keepSurvivalSources(keeper, [], context);
  return {
    stop: async () => {
      await following.stop();
      await keeper.stop();
    },
  };
}
