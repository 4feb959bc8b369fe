import { callApi } from "../../../api/call.ts";
import { Problem } from "../../../api/problem.ts";
import { valueAt } from "../../../parts/specs.ts";
import { words } from "../../../words/words.ts";
import type { Server } from "../use-servers.ts";

/**
 * Sends changed fields of a server. A server has no revision, so the stored fields are compared first.
 * @param basis the version that the person saw last
 * @throws Problem `stale_revision` if somebody else has changed one of the fields
 */
export async function saveServer(body: object, basis: Server): Promise<Server> {
  const path = { id: basis.id };
  const { server: stored } = await callApi("GET /admin/survival/servers/{id}", { path });
  const isOvertaken = Object.keys(body).some(
    (field) => valueAt(stored, field) !== valueAt(basis, field),
  );
  if (isOvertaken) throw staleProblem(stored);
  return (await callApi("PUT /admin/survival/servers/{id}", { path, body })).server;
}

function staleProblem(current: Server): Problem {
  const headers = { "x-error-code": "stale_revision" };
  const response = new Response(null, { status: 409, headers });
  return new Problem(words.gameServers.overtaken, { current }, response);
}
