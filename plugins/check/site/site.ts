import type { Game } from "../payloads/payload-faults.ts";
import { within } from "../wait/within.ts";
import { type Answer, type Call, refuse } from "./call.ts";
import { Command, CommandQueue, type Order, type SentOutcome } from "./command-queue.ts";
import { Listener } from "./listener.ts";
import { SiteMemory } from "./memory.ts";

/** Whether a check means a call. */
export type Fits = (call: Call) => boolean;

/** Answers one call in place of the honest site; `honest` is what that would answer. */
export type Reply = (call: Call, honest: () => Promise<Answer>) => Answer | Promise<Answer>;

interface Rule {
  readonly fits: Fits;
  readonly reply: Reply;
  left: number;
}

/** What looks on while calls come and are answered. */
export interface Watcher {
  /** The call's headers are there; its body is not. */
  begun(call: Call): void;
  /** Its body is there, and nobody has answered it. */
  arrived(call: Call): void;
  answered(call: Call): void;
}

export interface SiteOptions {
  readonly game: Game;
  readonly key: string;
  readonly watcher: Watcher;
  /** How long a wait is held that asks for 25 s. */
  readonly pollMs: number;
}

/** The site's end of the link: honest, but for what a check has it answer. */
export class Site {
  readonly memory: SiteMemory;
  readonly queue = new CommandQueue();
  readonly #options: SiteOptions;
  readonly #listener: Listener;
  readonly #calls: Call[] = [];
  readonly #listeners = new Set<(call: Call) => void>();
  readonly #answered = new Set<(call: Call) => void>();
  #rules: Rule[] = [];

  constructor(options: SiteOptions) {
    this.#options = options;
    this.memory = new SiteMemory(options.game);
    this.#listener = new Listener((call) => void this.#serve(call));
  }

  /** Every call so far, in the order in which they began. */
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

  /**
   * Has the next calls that fit answered by `reply`.
   * @returns a function that ends this
   */
  intercept(fits: Fits, reply: Reply, times = Infinity): () => void {
    const rule: Rule = { fits, reply, left: times };
    this.#rules.unshift(rule);
    return () => {
      this.#rules = this.#rules.filter((one) => one !== rule);
    };
  }

  /**
   * Has the next call that fits answered by `reply`.
   * @returns the call once it is answered; undefined when none came in time
   */
  async replyOnce(fits: Fits, ms: number, reply: Reply): Promise<Call | undefined> {
    const { promise, resolve } = Promise.withResolvers<Call>();
    const answer: Reply = async (call, honest) => {
      const given = await reply(call, honest);
      void call.ended.then(() => resolve(call));
      return given;
    };
    const stop = this.intercept(fits, answer, 1);
    const call = await within(promise, ms);
    stop();
    return call;
  }

  /** The next call from now on that fits, with its body; undefined when none comes in time. */
  next(fits: Fits, ms: number): Promise<Call | undefined> {
    return nextOf(this.#listeners, fits, ms);
  }

  /** The same once it is answered. */
  nextAnswered(fits: Fits, ms: number): Promise<Call | undefined> {
    return nextOf(this.#answered, fits, ms);
  }

  /** Answers the open wait, or else the next one, 409 HELLO, as a site does that lost its memory. */
  askHello(): void {
    this.memory.requireHello();
    this.queue.endWait(refuse(409, "HELLO"));
  }

  /** Gives commands in one answer of a wait. */
  give(orders: readonly Order[], timeoutMs: number): Command[] {
    const commands = orders.map((order) => new Command(order, timeoutMs));
    this.queue.add(commands);
    return commands;
  }

  /** Gives one command and waits for its outcome; undefined when it does not come in time. */
  async ask(order: Order, timeoutMs: number): Promise<SentOutcome | undefined> {
    const [command] = this.give([order], timeoutMs);
    return command && (await within(command.answered, timeoutMs));
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
  fits: Fits,
  ms: number,
): Promise<Call | undefined> {
  const { promise, resolve } = Promise.withResolvers<Call>();
  const look = (call: Call): void => {
    if (fits(call)) resolve(call);
  };
  listeners.add(look);
  return within(promise, ms).finally(() => listeners.delete(look));
}
