import { AppError } from "../../shared/platform/errors/errors.ts";

/** How long a request waits for a place before it is refused. */
const waitMs = 2_000;
/** In how many seconds a client that was refused may come again. */
const retryAfter = 1;

interface Waiting {
  readonly go: () => void;
  readonly refuse: (error: AppError) => void;
}

/** A limited number of places for work of one kind. Who waits longest for a place gets the next one. */
export class Places {
  readonly #max: number;
  readonly #waiting = new Set<Waiting>();
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws AppError busy if no place is free for two seconds */
  enter(): Promise<void> {
    if (this.#held < this.#max) {
      this.#held += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { go: resolve, refuse: reject };
      this.#waiting.add(waiting);
      const refuse = (): void => {
        if (!this.#waiting.delete(waiting)) return;
        const words = "Too many read at once: come back in a moment";
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

  /** @throws AppError busy if no place is free for two seconds */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }
}
