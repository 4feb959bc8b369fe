import type { JsonObject } from "../../platform/bridge/json-text.ts";

/** The name that the game's log shows for commands of the site. */
const clientName = "Guildhall";
/** Smaller identifiers are those of other clients or of unasked lines. */
const firstIdentifier = 1_001;
const lastIdentifier = 0x7fff_ffff;

export interface QuestionOptions<T> {
  /** Reads the answer; returns undefined for a line that is logged before the answer. */
  readonly read: (text: string) => T | undefined;
  readonly withinMs: number;
}

/** Time without a message after which the last message is the answer. */
const quietMs = 250;

interface OpenQuestion {
  accept(text: string): void;
  end(): void;
}

/**
 * Sends commands to a console and finds their answers by identifier. While a command runs, the lines that
 * it logs arrive under its identifier before its answer.
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

  /** Asks a question with a readable answer. @returns null if no such answer came in time */
  ask<T>(command: string, { read, withinMs }: QuestionOptions<T>): Promise<T | null> {
    return this.#begin<T>(command, withinMs, (text, settle) => {
      const answer = read(text);
      if (answer !== undefined) settle(answer);
    });
  }

  /**
   * Runs a command and returns the last message before a pause, which is empty for a command without a
   * result. @returns null if no message came in time; the command may have run
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

  /** Passes a message to its question. @returns false if the message answers no question */
  receive({ Identifier: identifier, Message: message }: JsonObject): boolean {
    if (typeof identifier !== "number" || identifier < firstIdentifier) return false;
    if (typeof message === "string") this.#open.get(identifier)?.accept(message);
    return true;
  }

  /** Ends all questions without an answer. */
  close(): void {
    this.#isClosed = true;
    for (const question of this.#open.values()) question.end();
  }

  /** @param atTimeout returns the answer if the time is over */
  #begin<T>(
    command: string,
    withinMs: number,
    accept: (text: string, settle: (answer: T | null) => void) => void,
    atTimeout: () => T | null = () => null,
  ): Promise<T | null> {
    const identifier = this.#next;
    this.#next = identifier === lastIdentifier ? firstIdentifier : identifier + 1;
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
    const message = { Identifier: identifier, Message: command, Name: clientName };
    if (this.#isClosed || !this.#send(JSON.stringify(message))) settle(null);
    return promise;
  }
}
