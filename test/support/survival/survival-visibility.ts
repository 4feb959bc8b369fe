import { signIn } from "../accounts/sign-in.ts";
import { call } from "../http/call.ts";
import type { TestServer } from "../service/server.ts";

/** Has an administrator say who sees what of the survival servers; null takes that back. */
export async function changeSurvivalVisibility(server: TestServer, body: object): Promise<void> {
  const { headers } = await signIn(server, { role: "admin" });
  const { status, text } = await call(server, "PUT /admin/survival/visibility", { headers, body });
  if (status !== 200) throw new Error(text);
}
