import type { CreationAttributes } from "sequelize";

import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { sealServerToken } from "../../../shared/survival/sidecar/server-link.ts";
import type { SurvivalSimulator } from "../../simulator/survival/simulator.ts";
import { buildSurvivalServer } from "../factories/survival.ts";
import type { TestServer } from "../service/server.ts";

/** A server of the site whose game a simulator is, as an administrator would have saved it. */
export async function linkSurvivalServer(
  on: Pick<TestServer, "context">,
  { baseUrl, wsUrl, token }: Pick<SurvivalSimulator, "baseUrl" | "wsUrl" | "token">,
  given: Partial<CreationAttributes<SurvivalServer>> = {},
): Promise<SurvivalServer> {
  const server = await buildSurvivalServer(on, { enabled: true, baseUrl, wsUrl, ...given });
  const { SECRETS_KEYS } = on.context.config;
  return server.update({ tokenSealed: sealServerToken(server.id, token, SECRETS_KEYS) });
}
