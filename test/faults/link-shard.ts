import type { Api } from "./service.ts";
import { bridgeToken } from "./service.ts";

/** Links the service to the simulator, as an administrator does. */
export async function linkShard(
  { url }: Api,
  simulatorUrl: string,
  headers: { readonly cookie: string },
): Promise<void> {
  const response = await fetch(`${url}/api/v1/admin/shardlink/config`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      baseUrl: simulatorUrl,
      wsUrl: `${simulatorUrl.replace("http", "ws")}/v1/stream`,
      token: bridgeToken,
      protocol: 8,
      enabled: true,
    }),
  });
  if (response.status !== 200) throw new Error(`linking answered ${await response.text()}`);
}
