import { isObject, type JsonObject } from "../../platform/bridge/json-text.ts";

/** The client name under which the game logs the site's commands. */
const clientName = "Guildhall";
/** Other clients, and messages that answer no command, have smaller identifiers. */
const firstIdentifier = 1_001;
const lastIdentifier = 0x7fff_ffff;

export interface QuestionOptions<T> {
  /** Parses the answer; returns undefined for a line that the command logged before the answer. */
  readonly read: (text: string) => T | undefined;
  readonly withinMs: number;
}

/** Maximum size in bytes of a message that answers no command. Larger ones are dropped. */
const longestUnasked = 64 * 1024;
/** The identifier is within this many bytes of a message's end, because only short fields follow it. */
const tailBytes = 4_096;

/** After a pause of this many milliseconds, the last message is the answer. */
const quietMs = 250;

interface OpenQuestion {
  accept(text: string): void;
  end(): void;
}

/**
 * Sends commands to a console and finds their answers by identifier. The lines that a command logs have the
 * same identifier, and arrive before its answer.
 */
export class ConsoleQuestions {
  readonly #send: (text: string) => boolean;
  readonly #open = new Map<number, OpenQuestion>();
  #next = firstIdentifier;
  #isClosed = false;

  /** @param send returns false if nothing was sent */
  constructor(send: (text: string) => boolean) {
    this.#send = send;
  }

  /** Sends a command and returns the first message that `read` accepts; null if none arrives in time. */
  ask<T>(command: string, { read, withinMs }: QuestionOptions<T>): Promise<T | null> {
    return this.#begin<T>(command, withinMs, (text, settle) => {
      const answer = read(text);
      if (answer !== undefined) settle(answer);
    });
  }

  /**
   * Runs a command and returns the last message before a pause; an empty text if the command has no
   * result. @returns null if no message arrived in time; the command may have run
   */
  run(command: string, withinMs: number): Promise<string | null> {
    let last: string | null = null;
    let pause: NodeJS.Timeout | undefined;
    const accept = (text: string, settle: (answer: string | null) => void): void => {
      last = text;
      clearTimeout(pause);
      pause = setTimeout(() => settle(text), quietMs);
    };
    return this.#begin<string>(command, withinMs, accept, () => last);
  }

  /**
   * Sends a command without waiting. The console answers in order, so its messages have arrived when a later
   * command is answered.
   * @returns a function that ends the command and returns its last message, or null
   */
  begin(command: string): () => string | null {
    let last: string | null = null;
    const identifier = this.#takeIdentifier();
    this.#open.set(identifier, { accept: (text) => void (last = text), end: () => undefined });
    this.#write(identifier, command);
    return () => {
      this.#open.delete(identifier);
      return last;
    };
  }

  /** Passes a message to its open command. @returns false if the message answers no command of the site */
  receive({ Identifier: identifier, Message: message }: JsonObject): boolean {
    if (typeof identifier !== "number" || identifier < firstIdentifier) return false;
    if (typeof message === "string") this.#open.get(identifier)?.accept(message);
    return true;
  }

  /**
   * Parses a message. Skips long messages that answer no open command, because parsing them would block the
   * process.
   */
  parse(data: Buffer): JsonObject | undefined {
    if (data.length > longestUnasked && !this.#isAnswer(data)) return undefined;
    try {
      const message: unknown = JSON.parse(data.toString());
      return isObject(message) ? message : undefined;
    } catch {
      return undefined;
    }
  }

  /** Searches the raw bytes for the identifier. Texts cannot forge the field: JSON escapes their quotes. */
  #isAnswer(data: Buffer): boolean {
    const tail = data.subarray(-tailBytes).toString("latin1");
    const [, identifier] = /"Identifier"\s*:\s*(\d{1,10})\b/.exec(tail) ?? [];
    return identifier !== undefined && this.#open.has(Number(identifier));
  }

  /** Ends all open commands without an answer. */
  close(): void {
    this.#isClosed = true;
    for (const question of this.#open.values()) question.end();
  }

  /** @param atTimeout returns the result after the timeout */
  #begin<T>(
    command: string,
    withinMs: number,
    accept: (text: string, settle: (answer: T | null) => void) => void,
    atTimeout: () => T | null = () => null,
  ): Promise<T | null> {
    const identifier = this.#takeIdentifier();
    const { promise, resolve } = Promise.withResolvers<T | null>();
    const settle = (answer: T | null): void => {
      clearTimeout(timer);
      this.#open.delete(identifier);
      resolve(answer);
    };
    const timer = setTimeout(() => settle(atTimeout()), withinMs);
    this.#open.set(identifier, {
      accept: (text) => accept(text, settle),
      end: () => settle(null),
    });
    if (!this.#write(identifier, command)) settle(null);
    return promise;
  }

  #takeIdentifier(): number {
    const identifier = this.#next;
    this.#next = identifier === lastIdentifier ? firstIdentifier : identifier + 1;
    return identifier;
  }

  /** @returns false if nothing was sent */
  #write(identifier: number, command: string): boolean {
    const message = { Identifier: identifier, Message: command, Name: clientName };
    return !this.#isClosed && this.#send(JSON.stringify(message));
  }
}

/** Milliseconds of processing messages after which the process does other work first. */
const turnMs = 5;
/** The socket is paused when this many messages or bytes wait, and resumed when half of them are processed. */
const bounds = { messages: 20_000, bytes: 32 * 1024 * 1024 };

interface FlowControl {
  pause(): void;
  resume(): void;
}

/** Processes a console's messages in short turns, so that a flood of lines does not block the process. */
export class ConsoleMessageQueue {
  readonly #questions: ConsoleQuestions;
  readonly #hear: (message: JsonObject) => void;
  readonly #flow: FlowControl;
  #waiting: Buffer[] = [];
  #next = 0;
  #bytes = 0;
  #isScheduled = false;
  #isPaused = false;

  /** @param hear processes the messages that answer no command */
  constructor(questions: ConsoleQuestions, hear: (message: JsonObject) => void, flow: FlowControl) {
    this.#questions = questions;
    this.#hear = hear;
    this.#flow = flow;
  }

  push(data: Buffer): void {
    this.#waiting.push(data);
    this.#bytes += data.length;
    const count = this.#waiting.length - this.#next;
    if (!this.#isPaused && (count > bounds.messages || this.#bytes > bounds.bytes)) {
      this.#isPaused = true;
      this.#flow.pause();
    }
    this.#schedule();
  }

  /** Drops the waiting messages. */
  stop(): void {
    this.#waiting = [];
    this.#next = 0;
    this.#bytes = 0;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isScheduled = false;
    const endsAt = performance.now() + turnMs;
    for (let data = this.#waiting[this.#next]; data; data = this.#waiting[this.#next]) {
      this.#next += 1;
      this.#bytes -= data.length;
      const message = this.#questions.parse(data);
      if (message && !this.#questions.receive(message)) this.#hear(message);
      if (performance.now() >= endsAt) break;
    }
    this.#resumeIfRoom();
    if (this.#next < this.#waiting.length) return this.#schedule();
    this.stop();
  }

  #resumeIfRoom(): void {
    const count = this.#waiting.length - this.#next;
    if (count <= bounds.messages / 2) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    if (!this.#isPaused || count > bounds.messages / 2 || this.#bytes > bounds.bytes / 2) return;
    this.#isPaused = false;
    this.#flow.resume();
  }
}
