import type { WebSocket } from "ws";

interface KeepAliveOptions {
  readonly pingMs: number;
  readonly deadMs: number;
  readonly onDead: () => void;
}

/** Pings a socket and finds it dead when no frame of any kind came for `deadMs`. */
export class KeepAlive {
  readonly #socket: WebSocket;
  readonly #options: KeepAliveOptions;
  readonly #pings: NodeJS.Timeout;
  #deadline: NodeJS.Timeout | undefined;
  #judging: NodeJS.Immediate | undefined;
  #heardAtMs = performance.now();

  constructor(socket: WebSocket, options: KeepAliveOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#pings = setInterval(() => socket.ping(), options.pingMs);
    for (const event of ["message", "ping", "pong"]) socket.on(event, () => this.hear());
    this.#wait();
  }

  hear(): void {
    this.#heardAtMs = performance.now();
  }

  stop(): void {
    clearInterval(this.#pings);
    clearTimeout(this.#deadline);
    clearImmediate(this.#judging);
  }

  #measureLeft(): number {
    // A paused socket is silent because we do not read: that does not count.
    if (this.#socket.isPaused) this.hear();
    return this.#heardAtMs + this.#options.deadMs - performance.now();
  }

  #wait(): void {
    this.#deadline = setTimeout(() => {
      // After the frames that are waiting to be read: this process may have been held up.
      this.#judging = setImmediate(() => this.#judge());
    }, Math.ceil(this.#measureLeft()));
  }

  #judge(): void {
    if (this.#measureLeft() > 0) this.#wait();
    else this.#options.onDead();
  }
}
