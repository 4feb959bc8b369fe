import { randomUUID } from "node:crypto";

import { type ApiAnswer, callRoute, type CallOptions } from "../http/call.ts";
import type { TestServer } from "../service/server.ts";

/** The plugin of a game server. The test makes each of its calls. */
export class TestPlugin {
  readonly #server: Pick<TestServer, "url">;
  readonly key: string;
  bootId = randomUUID() as string;
  epoch = randomUUID() as string;
  oldest = 1;
  head = 0;
  capabilities: readonly string[] = ["towncrier", "pages", "links", "champions", "signup"];
  game = "uo";

  constructor(server: Pick<TestServer, "url">, key: string) {
    this.#server = server;
    this.key = key;
  }

  /** Returns another plugin with the same key, as if another game server used it. */
  another(): TestPlugin {
    const other = new TestPlugin(this.#server, this.key);
    other.game = this.game;
    return other;
  }

  hello(changes: object = {}): Promise<ApiAnswer> {
    const { bootId, epoch, oldest, head, capabilities, game } = this;
    const plugin = { name: "Guildhall for tests", version: "1.0.0" };
    const server = { name: "Britannia", version: "57.3", expansion: "TOL" };
    const said = { protocol: 1, game, plugin, server, bootId, epoch, oldest, head, capabilities };
    return this.#call("POST /plugin/hello", { body: { ...said, ...changes } });
  }

  /** Sends events. An event without a `seq` gets the next one. */
  send(
    events: readonly object[],
    changes: object = {},
    options: CallOptions = {},
  ): Promise<ApiAnswer> {
    const sent = events.map((event) => {
      if ("seq" in event) return event;
      this.head += 1;
      return { seq: this.head, ...event };
    });
    const { epoch, bootId } = this;
    return this.#call("POST /plugin/events", {
      body: { epoch, bootId, events: sent, ...changes },
      ...options,
    });
  }

  wait(seconds = 1, bootId = this.bootId): Promise<ApiAnswer> {
    return this.#call(`GET /plugin/commands?wait=${seconds}&bootId=${bootId}`);
  }

  /** Waits for commands and returns them. */
  async take(): Promise<readonly TakenCommand[]> {
    for (;;) {
      const answer = await this.wait(10);
      if (answer.status !== 200) throw new Error(`the wait was answered ${answer.status}`);
      const { commands } = answer.body as { commands: TakenCommand[] };
      if (commands.length > 0) return commands;
    }
  }

  answer(id: string, status: number, body: object, bootId = this.bootId): Promise<ApiAnswer> {
    return this.#call(`POST /plugin/commands/${id}?bootId=${bootId}`, { body: { status, body } });
  }

  /** Waits for a command and answers it. @returns the command */
  async serve(status: number, body: object): Promise<TakenCommand> {
    const [command] = await this.take();
    if (!command) throw new Error("no command came");
    await this.answer(command.id, status, body);
    return command;
  }

  #call(route: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const headers = { authorization: `Bearer ${this.key}` };
    return callRoute(this.#server, route, {
      ...options,
      headers: { ...headers, ...options.headers },
    });
  }
}

export interface TakenCommand {
  readonly id: string;
  readonly call: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object | null;
  readonly actor: object | null;
  readonly key: string | null;
  readonly timeoutMs: number;
}
