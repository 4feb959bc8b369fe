import { type JsonObject, parseObject } from "../../platform/bridge/json-text.ts";

/** Milliseconds for which messages are read before other work of the process may run. */
const turnMs = 5;
/** At these limits of waiting messages the socket is paused; at half of them it resumes. */
const bounds = { messages: 20_000, bytes: 32 * 1024 * 1024 };

interface FlowControl {
  pause(): void;
  resume(): void;
}

/** Reads the messages of a console in short turns, so that a flood does not hold up other work. */
export class MessageTurns {
  readonly #handle: (message: JsonObject) => void;
  readonly #flow: FlowControl;
  #waiting: Buffer[] = [];
  #next = 0;
  #bytes = 0;
  #isScheduled = false;
  #isPaused = false;

  constructor(handle: (message: JsonObject) => void, flow: FlowControl) {
    this.#handle = handle;
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

  /** Forgets the waiting messages. */
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
      const message = parseObject(data.toString());
      if (message) this.#handle(message);
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
