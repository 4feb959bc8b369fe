import { randomUUID } from "node:crypto";

import { isObject, type JsonObject } from "../../../shared/platform/bridge/json-text.ts";
import { type Answer, type Call, refuse } from "./call.ts";

export interface CommandSpec {
  /** The method and path of the call, with `:name` for each parameter. */
  readonly call: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: object | undefined;
  readonly key?: string | undefined;
}

export interface SentOutcome {
  readonly status: number;
  readonly body: JsonObject;
  readonly text: string;
}

export class Command {
  readonly id = randomUUID();
  readonly order: CommandSpec;
  readonly timeoutMs: number;
  readonly #taken = Promise.withResolvers<void>();
  readonly #answered = Promise.withResolvers<SentOutcome>();
  readonly outcomes: SentOutcome[] = [];
  isTaken = false;

  constructor(order: CommandSpec, timeoutMs: number) {
    this.order = order;
    this.timeoutMs = timeoutMs;
  }

  /** Resolves when the plugin has received the command. */
  get taken(): Promise<void> {
    return this.#taken.promise;
  }

  /** Resolves with the first outcome that the plugin sends. */
  get answered(): Promise<SentOutcome> {
    return this.#answered.promise;
  }

  take(): JsonObject {
    this.isTaken = true;
    this.#taken.resolve();
    const { call, params = {}, query = {}, body = null, key = null } = this.order;
    const actor = key === null ? null : { userId: 1, username: "check", role: "admin" };
    return { id: this.id, call, params, query, body, actor, key, timeoutMs: this.timeoutMs };
  }

  settle(outcome: SentOutcome): void {
    this.outcomes.push(outcome);
    this.#answered.resolve(outcome);
  }
}

interface Waiter {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
}

/** The commands that the plugin has not received yet, and its open poll for commands. */
export class CommandQueue {
  readonly #commands = new Map<string, Command>();
  #waiting: Command[] = [];
  #waiter: Waiter | null = null;

  get openWait(): Call | null {
    return this.#waiter?.call ?? null;
  }

  /** Adds commands. The plugin receives them in one answer. */
  add(commands: readonly Command[]): void {
    for (const command of commands) this.#commands.set(command.id, command);
    this.#waiting.push(...commands);
    if (this.#waiter) this.endWait(this.#take());
  }

  /** Removes commands that the plugin has not received yet; received ones stay. */
  withdraw(commands: readonly Command[]): void {
    this.#waiting = this.#waiting.filter((one) => !commands.includes(one));
  }

  find(id: string): Command | undefined {
    return this.#commands.get(id);
  }

  /** Keeps a poll open until a command is added, the time is over, or a newer poll begins. */
  wait(call: Call, longestMs: number): Promise<Answer> {
    this.endWait();
    if (this.#waiting.length > 0) return Promise.resolve(this.#take());
    return new Promise((resolve) => {
      const waiter: Waiter = {
        call,
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
      };
      this.#waiter = waiter;
      const end = (): void => {
        if (this.#waiter === waiter) this.endWait();
      };
      const timer = setTimeout(end, longestMs);
      void call.ended.then(end);
    });
  }

  /** Answers the open poll. Without an argument, the answer contains no commands. */
  endWait(answer: Answer = { status: 200, body: { commands: [] } }): void {
    const waiter = this.#waiter;
    this.#waiter = null;
    waiter?.resolve(answer);
  }

  answerOutcome({ commandId, json, text }: Call): Answer {
    const command = this.#commands.get(commandId);
    if (!command?.isTaken) return refuse(404, "NOT_FOUND");
    const { status, body } = json ?? {};
    const isStatus = Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
    if (!isStatus) return refuse(400, "INVALID", { field: "status" });
    if (!isObject(body)) return refuse(400, "INVALID", { field: "body" });
    const [first] = command.outcomes;
    command.settle({ status: Number(status), body, text });
    return first && first.text !== text ? refuse(409, "ANSWERED") : { status: 204 };
  }

  #take(): Answer {
    const commands = this.#waiting.splice(0).map((command) => command.take());
    return { status: 200, body: { commands } };
  }
}
