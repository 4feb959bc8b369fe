import { AppError } from "../../shared/platform/errors/errors.ts";

/** How long a request waits before it is refused. */
const waitMs = 2_000;
/** Seconds until a refused client can retry. */
const retryAfter = 1;

interface WaitingTask {
  readonly go: () => void;
  readonly refuse: (error: AppError) => void;
}

/** Limits concurrent work of one kind. Waiting requests continue in the order of their arrival. */
export class Semaphore {
  readonly #max: number;
  readonly #waiting = new Set<WaitingTask>();
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Waits until the work may start. @throws AppError busy after two seconds */
  enter(): Promise<void> {
    if (this.#held < this.#max) {
      this.#held += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiting: WaitingTask = { go: resolve, refuse: reject };
      this.#waiting.add(waiting);
      const refuse = (): void => {
        if (!this.#waiting.delete(waiting)) return;
        const words = "Too many requests read this at once: try again in a moment";
        waiting.refuse(new AppError("busy", words, { retryAfter }));
      };
      setTimeout(refuse, waitMs).unref();
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#held -= 1;
      return;
    }
    this.#waiting.delete(next);
    next.go();
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }
}
