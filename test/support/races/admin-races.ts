import { type SignedIn, signIn } from "../accounts/sign-in.ts";
import { unlimited } from "../accounts/unlimited.ts";
import { startTestServer, type TestServer } from "../service/server.ts";
import { RaceServers, makeList } from "./race.ts";

/**
 * A server, two more API processes on the same database, and administrators who send racing
 * requests.
 */
export interface AdminRaces {
  readonly server: TestServer;
  readonly track: RaceServers;
  readonly admins: readonly SignedIn[];
  /**
   * Returns the headers of an administrator. Consecutive indexes belong to different
   * administrators.
   */
  headersOf(index: number): SignedIn["headers"];
  stop(): Promise<void>;
}

/** Starts the processes without rate limits and creates this many administrators. */
export async function startAdminRaces(count: number): Promise<AdminRaces> {
  const server = await startTestServer({ environment: unlimited });
  const track = await RaceServers.start(server.database, unlimited);
  const admins = await Promise.all(makeList(count, () => signIn(server, { role: "admin" })));
  return {
    server,
    track,
    admins,
    headersOf: (index) => {
      const admin = admins[index % count];
      if (!admin) throw new Error("there is no administrator");
      return admin.headers;
    },
    stop: async () => {
      await track.stop();
      await server.stop();
    },
  };
}
