import { callRoute } from "../http/call.ts";
import type { RaceServers } from "../races/race.ts";
import type { TestServer } from "../service/server.ts";

type Headers = Readonly<Record<string, string>>;

export const isSignedIn = async (at: Pick<TestServer, "url">, headers: Headers): Promise<boolean> =>
  (await callRoute(at, "GET /auth/me", { headers })).status === 200;

/** Returns true if both processes accept the session. @throws if only one of them does */
export async function isSignedInEach(track: RaceServers, headers: Headers): Promise<boolean> {
  const answers = await track.inEach({ route: "GET /auth/me", headers });
  const [status, ...others] = answers.map((answer) => answer.status);
  if (others.some((other) => other !== status)) {
    throw new Error(`one process answers ${status}, another ${others.join(", ")}`);
  }
  return status === 200;
}
