import { call } from "../../../api/call.ts";
import type { Server } from "../use-servers.ts";

/** Sends changed fields of a server. */
export async function saveServer(id: number, body: object): Promise<Server> {
  const answer = await call("PUT /admin/survival/servers/{id}", {
    path: { id },
    body,
  });
  return answer.server;
}
