import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import type { SignedIn } from "../../support/accounts/sign-in.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { ingestSourceOf } from "../../support/factories/shard.ts";
import { type ApiAnswer, callRoute, retryAfter } from "../../support/http/call.ts";
import type { TakenCommand, TestPlugin } from "../../support/plugin/test-plugin.ts";
import type { TestServer } from "../../support/service/server.ts";

/** The payload of an event, or the body of a command or an answer. */
type Body = Readonly<Record<string, unknown>>;

export interface RecordedEvent {
  readonly seq: number;
  readonly kind: string;
  readonly t: number;
  readonly eventKey?: string;
  readonly payload: Body;
}

interface RecordedHello {
  readonly hello: Body & { readonly bootId: string; readonly epoch: string };
  readonly answer: Body;
}

interface RecordedBatch {
  readonly events: {
    readonly epoch: string;
    readonly bootId: string;
    readonly events: readonly RecordedEvent[];
  };
  /** The highest seq that the site has confirmed as stored. */
  readonly stored: number;
}

interface RecordedCommand {
  readonly command: {
    readonly call: string;
    readonly params: Readonly<Record<string, string>>;
    readonly body: Body | null;
  };
  readonly outcome: { readonly status: number; readonly body: Body };
}

/** A line of the recorded session. The lines are in the order in which the site answered. */
export type RecordedLine = RecordedHello | RecordedBatch | RecordedCommand;

/** The site, the plugin and the users who take part in the replay. */
export interface ReplayParticipants {
  readonly server: TestServer;
  readonly plugin: TestPlugin;
  readonly admin: SignedIn;
  /** The user of the site who links a game account. */
  readonly player: SignedIn;
}

/** The id that the linked user had in the recording. */
const recordedUserId = 2;

/** The request to the site that makes the site send a command. */
interface Request {
  readonly by: "admin" | "player";
  /**
   * The route. It contains `:name` for a parameter of the command, and `:userId` for the linked
   * user.
   */
  readonly route: string;
  /** Converts the body of the command to the body of the request, if they differ. */
  readonly sends?: (body: Body) => Body;
}

const requests: Readonly<Record<string, Request>> = {
  "POST /v1/broadcast": { by: "admin", route: "POST /admin/shard/broadcast" },
  "POST /v1/kick": { by: "admin", route: "POST /admin/shard/kick" },
  "POST /v1/ban": {
    by: "admin",
    route: "POST /admin/shard/ban",
    // Remove the number of the ban and the address for appeals, which the site appends to the
    // reason.
    sends: (body) => ({ ...body, reason: String(body["reason"]).replace(/ \(ban #.*/, "") }),
  },
  "POST /v1/unban": { by: "admin", route: "POST /admin/shard/unban" },
  "GET /v1/pages": { by: "admin", route: "GET /admin/shard/pages" },
  "POST /v1/pages/:id/respond": { by: "admin", route: "POST /admin/shard/pages/:id/respond" },
  "POST /v1/pages/:id/close": { by: "admin", route: "POST /admin/shard/pages/:id/close" },
  "GET /v1/towncrier": { by: "admin", route: "GET /admin/shardlink/towncrier" },
  "POST /v1/towncrier": { by: "admin", route: "POST /admin/shardlink/towncrier" },
  "DELETE /v1/towncrier/:id": { by: "admin", route: "DELETE /admin/shardlink/towncrier/:id" },
  "GET /v1/signup-mode": { by: "admin", route: "GET /admin/shardlink/signup-mode" },
  "PUT /v1/signup-mode": { by: "admin", route: "PUT /admin/shardlink/signup-mode" },
  "DELETE /v1/links/:account": {
    by: "admin",
    route: "DELETE /admin/users/:userId/shard/link/:account",
  },
  "POST /v1/links/redeem": { by: "player", route: "POST /player/shard/link" },
  "POST /v1/accounts": {
    by: "player",
    route: "POST /player/shard/account",
    sends: ({ account, password }) => ({ account, password }),
  },
  "GET /v1/accounts/:account/roster": { by: "player", route: "GET /player/shard/roster/:account" },
  "GET /v1/accounts/:account/vendors": {
    by: "player",
    route: "GET /player/shard/vendors/:account",
  },
};

/** Calls that the site makes by itself. All other calls follow from a request to the site. */
const ownCalls: ReadonlySet<string> = new Set(["GET /v1/links", "POST /v1/resync"]);

/**
 * Replays the recorded session of a plugin against a site. Sends the requests that caused the
 * recorded commands, too.
 */
export class SessionReplayer {
  readonly #cast: ReplayParticipants;
  readonly #session: readonly RecordedLine[];
  /** The recorded commands whose outcomes the plugin has sent. */
  readonly #answered = new Set<RecordedLine>();
  #position = 0;
  #isOver = false;
  /** Descriptions of commands that differ from the recorded ones. */
  readonly differences: string[] = [];
  /** The events with the values that were sent. */
  readonly sent: RecordedEvent[] = [];

  constructor(cast: ReplayParticipants, session: readonly RecordedLine[]) {
    this.#cast = cast;
    this.#session = session;
  }

  async play(): Promise<void> {
    let serving: Promise<void> | undefined;
    for (const [position, line] of this.#session.entries()) {
      this.#position = position;
      if ("hello" in line) {
        await this.#sayHello(line);
        serving ??= this.#serve();
      } else if ("events" in line) await this.#send(line);
      else if (!ownCalls.has(line.command.call)) await this.#request(line);
    }
    this.#isOver = true;
    await serving;
  }

  async #sayHello({ hello, answer }: RecordedHello): Promise<void> {
    this.#cast.plugin.bootId = hello.bootId;
    this.#cast.plugin.epoch = hello.epoch;
    const { body, status } = await this.#cast.plugin.hello(hello);
    const { now: _now, ...rest } = body as Body;
    this.#compare("the answer to hello", [status, rest], [200, answer]);
  }

  async #send({ events: { epoch, bootId, events }, stored }: RecordedBatch): Promise<void> {
    const own = this.#withPlayer(events);
    this.sent.push(...own);
    const send = () => this.#cast.plugin.send(own, { epoch, bootId });
    let sent = await send();
    while (sent.status === 429) {
      await sleep(1_000 * retryAfter(sent));
      sent = await send();
    }
    this.#compare("the answer to events", [sent.status, sent.body], [200, { seq: stored }]);
    await waitUntil(`event ${stored} is read`, async () => {
      const source = await ingestSourceOf(this.#cast.server);
      return source.epoch === epoch && Number(source.seq) >= stored;
    });
  }

  /** Sends the request that caused a recorded command. */
  async #request({ command, outcome }: RecordedCommand): Promise<void> {
    const answer = await this.#ask(command);
    const isRefused = outcome.status > 299;
    this.#compare(`whether ${command.call} is refused`, answer.status > 299, isRefused);
  }

  #ask({ call: made, params, body }: RecordedCommand["command"]): Promise<ApiAnswer> {
    const { server, player } = this.#cast;
    const request = requests[made];
    if (!request) throw new Error(`no request of the site leads to ${made}`);
    const names: Record<string, string> = { ...params, userId: String(player.userId) };
    const route = request.route.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? "");
    const sent = request.sends ? request.sends(body ?? {}) : body;
    const { headers } = this.#cast[request.by];
    return callRoute(server, route, { headers, ...(sent && { body: sent }) });
  }

  /**
   * Answers the site's commands with the recorded outcomes. Several commands of one call get their outcomes in
   * recorded order.
   */
  async #serve(): Promise<void> {
    while (!this.#isOver) {
      const { body } = await this.#cast.plugin.wait(1);
      const { commands = [] } = body as { commands?: readonly TakenCommand[] };
      for (const command of commands) await this.#answer(command);
    }
  }

  async #answer({ id, call: name, params, body }: TakenCommand): Promise<void> {
    const recorded = this.#recordedFor(name);
    if (!recorded) {
      this.differences.push(`${name} was not recorded`);
      await this.#cast.plugin.answer(id, 422, { code: "UNSUPPORTED" });
      return;
    }
    this.#answered.add(recorded);
    if (!ownCalls.has(name)) {
      this.#compare(
        `the command ${name}`,
        { params, body },
        {
          params: recorded.command.params,
          body: recorded.command.body,
        },
      );
    }
    const { status, body: answer } = this.#withPlayer(recorded.outcome);
    await this.#cast.plugin.answer(id, status, answer);
  }

  /**
   * Returns the next recorded outcome of a call. If the site makes a call by itself more often than in the
   * recording, the call gets its last outcome again.
   */
  #recordedFor(name: string): RecordedCommand | undefined {
    const isOfCall = (line: RecordedLine): line is RecordedCommand =>
      "command" in line && line.command.call === name;
    const isOwn = ownCalls.has(name);
    const next = this.#session
      .slice(isOwn ? this.#position : 0)
      .find((line) => isOfCall(line) && (isOwn || !this.#answered.has(line)));
    return (next ?? (isOwn ? this.#session.findLast(isOfCall) : undefined)) as
      | RecordedCommand
      | undefined;
  }

  #compare(what: string, actual: unknown, recorded: unknown): void {
    if (isDeepStrictEqual(actual, recorded)) return;
    this.differences.push(
      `${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(recorded)}`,
    );
  }

  /** Replaces the id and name of the recorded user by those of the test's user. */
  #withPlayer<Value>(value: Value): Value {
    const { player } = this.#cast;
    const isUser = (name: string) => name === "webId" || name === "userId";
    const text = JSON.stringify(value, (name, one: unknown) =>
      isUser(name) && one === recordedUserId ? player.userId : one,
    );
    return JSON.parse(text) as Value;
  }
}
