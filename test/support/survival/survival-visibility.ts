import { signIn } from "../accounts/sign-in.ts";
import { callRoute } from "../http/call.ts";
import type { TestServer } from "../service/server.ts";

/** Changes the visibility of survival data, as an administrator does. Null restores a default. */
export async function changeSurvivalVisibility(server: TestServer, body: object): Promise<void> {
  const { headers } = await signIn(server, { role: "admin" });
  const { status, text } = await callRoute(server, "PUT /admin/survival/visibility", {
    headers,
    body,
  });
  if (status !== 200) throw new Error(text);
}
