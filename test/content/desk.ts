import type { Role } from "../../models/auth/user.ts";
import { roles } from "../../shared/platform/access/roles.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { activityOf } from "../support/factories/site.ts";
import { type ApiAnswer, callRoute, type CallOptions } from "../support/http/call.ts";
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "../support/service/server.ts";

/** A server with one user of each role, and functions that send requests. */
export class ContentTestSite {
  readonly server: TestServer;
  readonly users: Readonly<Record<Role, SignedIn>>;

  private constructor(server: TestServer, users: Readonly<Record<Role, SignedIn>>) {
    this.server = server;
    this.users = users;
  }

  static async open(options: TestServerOptions = {}): Promise<ContentTestSite> {
    const server = await startTestServer(options);
    const users = {} as Record<Role, SignedIn>;
    for (const role of roles) users[role] = await signIn(server, { role });
    return new ContentTestSite(server, users);
  }

  /**
   * Sends a request as the user of a role, by default an editor. Null sends the request without a session. Clears
   * the cache of answers first.
   */
  ask(route: string, body?: object, role: Role | null = "editor"): Promise<ApiAnswer> {
    const options: CallOptions = {
      ...(body !== undefined && { body }),
      ...(role && { headers: this.users[role].headers }),
    };
    this.server.context.keptAnswers.clear();
    return callRoute(this.server, route, options);
  }

  /** Reads a path without a session. Clears the cache of answers first. */
  read(path: string, headers?: Record<string, string>): Promise<ApiAnswer> {
    this.server.context.keptAnswers.clear();
    return callRoute(this.server, `GET ${path}`, { headers });
  }

  /** Creates an object. @throws if the answer is not 201 */
  async make<Made = Record<string, unknown>>(route: string, body: object): Promise<Made> {
    const answered = await this.ask(`POST ${route}`, body);
    if (answered.status !== 201) throw new Error(`${route} answered ${answered.text}`);
    return answered.body as Made;
  }

  /** Reads the log lines about an object, oldest first. */
  async log(targetType: string, id: string | number): Promise<unknown[]> {
    const where = { targetType, targetId: String(id) };
    const lines = await activityOf(this.server, where, ["action", "actorId", "detail"]);
    return lines.map(({ action, actorId, detail }) => [action, actorId, detail]);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
