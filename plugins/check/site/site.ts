import type { Game } from "../payloads/payload-faults.ts";
import { withTimeout } from "../wait/within.ts";
import { type Answer, type Call, refuse } from "./call.ts";
import { Command, CommandQueue, type CommandSpec, type SentOutcome } from "./command-queue.ts";
import { PluginListener } from "./listener.ts";
import { SiteMemory } from "./memory.ts";

export type CallFilter = (call: Call) => boolean;

/** Answers one call in place of the correctly working site. `honest` returns the site's own answer. */
export type ReplyHandler = (call: Call, honest: () => Promise<Answer>) => Answer | Promise<Answer>;

interface Rule {
  readonly fits: CallFilter;
  readonly reply: ReplyHandler;
  left: number;
}

export interface CallObserver {
  /** Called when the headers have arrived, before the body. */
  begun(call: Call): void;
  /** Called when the body has arrived, before the answer. */
  arrived(call: Call): void;
  answered(call: Call): void;
}

export interface SiteOptions {
  readonly game: Game;
  readonly key: string;
  readonly watcher: CallObserver;
  /** How long the site keeps open a poll with `wait=25`. Shorter waits are scaled in proportion. */
  readonly pollMs: number;
}

/** A site that the plugin under test calls. It works correctly, except for calls that a check intercepts. */
export class Site {
  readonly memory: SiteMemory;
  readonly queue = new CommandQueue();
  readonly #options: SiteOptions;
  readonly #listener: PluginListener;
  readonly #calls: Call[] = [];
  readonly #listeners = new Set<(call: Call) => void>();
  readonly #answered = new Set<(call: Call) => void>();
  #rules: Rule[] = [];

  constructor(options: SiteOptions) {
    this.#options = options;
    this.memory = new SiteMemory(options.game);
    this.#listener = new PluginListener((call) => void this.#serve(call));
  }

  /** All calls so far, in the order in which they began. */
  get calls(): readonly Call[] {
    return this.#calls;
  }

  listen(port: number): Promise<number> {
    return this.#listener.listen(port);
  }

  async close(): Promise<void> {
    this.queue.endWait();
    await this.#listener.close();
  }

  goAway(): void {
    this.#listener.goAway();
  }

  comeBack(): number[] {
    return this.#listener.comeBack();
  }

  /** Lets `reply` answer the next matching calls. @returns a function that stops this interception */
  intercept(fits: CallFilter, reply: ReplyHandler, times = Infinity): () => void {
    const rule: Rule = { fits, reply, left: times };
    this.#rules.unshift(rule);
    return () => {
      this.#rules = this.#rules.filter((one) => one !== rule);
    };
  }

  /** Lets `reply` answer the next matching call. @returns the answered call; undefined on timeout */
  async replyOnce(fits: CallFilter, ms: number, reply: ReplyHandler): Promise<Call | undefined> {
    const { promise, resolve } = Promise.withResolvers<Call>();
    const answer: ReplyHandler = async (call, honest) => {
      const given = await reply(call, honest);
      void call.ended.then(() => resolve(call));
      return given;
    };
    const stop = this.intercept(fits, answer, 1);
    const call = await withTimeout(promise, ms);
    stop();
    return call;
  }

  /** Returns the next matching call once its body has arrived; undefined on timeout. */
  next(fits: CallFilter, ms: number): Promise<Call | undefined> {
    return nextOf(this.#listeners, fits, ms);
  }

  /** Returns the next matching call once it is answered; undefined on timeout. */
  nextAnswered(fits: CallFilter, ms: number): Promise<Call | undefined> {
    return nextOf(this.#answered, fits, ms);
  }

  /** Answers the open or next poll with 409 HELLO, like a site that has lost its state. */
  askHello(): void {
    this.memory.requireHello();
    this.queue.endWait(refuse(409, "HELLO"));
  }

  /** Sends commands to the plugin in one answer to its poll. */
  give(orders: readonly CommandSpec[], timeoutMs: number): Command[] {
    const commands = orders.map((order) => new Command(order, timeoutMs));
    this.queue.add(commands);
    return commands;
  }

  /** Sends a command and returns its outcome; undefined on timeout. */
  async ask(order: CommandSpec, timeoutMs: number): Promise<SentOutcome | undefined> {
    const [command] = this.give([order], timeoutMs);
    return command && (await withTimeout(command.answered, timeoutMs));
  }

  async #serve(call: Call): Promise<void> {
    this.#calls.push(call);
    this.#options.watcher.begun(call);
    try {
      await call.readBody();
    } catch {
      return;
    }
    this.#options.watcher.arrived(call);
    for (const look of this.#listeners) look(call);
    const rule = this.#rules.find(({ fits, left }) => left > 0 && fits(call));
    if (rule) rule.left -= 1;
    const honest = (): Promise<Answer> => this.#answer(call);
    call.respond(await (rule ? rule.reply(call, honest) : honest()));
    this.#options.watcher.answered(call);
    for (const look of this.#answered) look(call);
  }

  async #answer(call: Call): Promise<Answer> {
    if (call.headers.authorization !== `Bearer ${this.#options.key}`) {
      return refuse(401, "UNAUTHORIZED");
    }
    switch (call.endpoint) {
      case "hello":
        return this.memory.answerHello(call);
      case "events":
        return this.memory.answerEvents(call);
      case "wait":
        return this.#wait(call);
      case "outcome":
        return this.queue.answerOutcome(call);
      default:
        return refuse(404, "NOT_FOUND");
    }
  }

  #wait(call: Call): Answer | Promise<Answer> {
    if (this.memory.needsHello) return refuse(409, "HELLO");
    const wait = call.url.searchParams.get("wait") ?? "25";
    if (!/^\d{1,9}$/.test(wait)) return refuse(400, "INVALID", { field: "wait" });
    return this.queue.wait(call, (Math.min(Number(wait), 25) / 25) * this.#options.pollMs);
  }
}

function nextOf(
  listeners: Set<(call: Call) => void>,
  fits: CallFilter,
  ms: number,
): Promise<Call | undefined> {
  const { promise, resolve } = Promise.withResolvers<Call>();
  const look = (call: Call): void => {
    if (fits(call)) resolve(call);
  };
  listeners.add(look);
  return withTimeout(promise, ms).finally(() => listeners.delete(look));
}
