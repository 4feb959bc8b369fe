import type { CreationAttributes } from "sequelize";

import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { SiteContext } from "../../../shared/ops/site-context.ts";
import { sealServerToken } from "../../../shared/survival/server-link.ts";
import { sourceNameOf } from "../../../shared/survival/server-locks.ts";
import type { SurvivalSimulator } from "../../simulator/survival/simulator.ts";
import { buildSurvivalServer } from "../factories/survival.ts";
import { callAsPlugin, linksByPlugin } from "../plugin/plugin-link.ts";

/** Creates a survival server that is linked to a simulated game, as an administrator does. */
export async function linkSurvivalServer(
  on: { readonly context: SiteContext },
  { baseUrl, wsUrl, token }: Pick<SurvivalSimulator, "baseUrl" | "wsUrl" | "token">,
  given: Partial<CreationAttributes<SurvivalServer>> = {},
): Promise<SurvivalServer> {
  if (linksByPlugin) {
    const server = await buildSurvivalServer(on, { enabled: true, kind: "plugin", ...given });
    const source = sourceNameOf(server.id);
    const sidecar = { baseUrl, wsUrl, token };
    await callAsPlugin(sidecar, { source, game: "rust", protocol: 13 }, on.context);
    return server;
  }
  const server = await buildSurvivalServer(on, { enabled: true, baseUrl, wsUrl, ...given });
  const { SECRETS_KEYS } = on.context.config;
  return server.update({ tokenSealed: sealServerToken(server.id, token, SECRETS_KEYS) });
}
