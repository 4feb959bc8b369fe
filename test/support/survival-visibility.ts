import { call } from "./call.ts";
import type { TestServer } from "./server.ts";
import { signIn } from "./sign-in.ts";

/** Has an administrator say who sees what of the survival servers; null takes that back. */
export async function changeSurvivalVisibility(server: TestServer, body: object): Promise<void> {
  const { headers } = await signIn(server, { role: "admin" });
  const { status, text } = await call(server, "PUT /admin/survival/visibility", { headers, body });
  if (status !== 200) throw new Error(text);
}
