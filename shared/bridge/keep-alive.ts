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
  #deadline: NodeJS.Timeout;
  #heardAtMs = performance.now();

  constructor(socket: WebSocket, options: KeepAliveOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#deadline = setTimeout(() => this.#judge(), options.deadMs);
    this.#pings = setInterval(() => socket.ping(), options.pingMs);
    for (const event of ["message", "ping", "pong"]) socket.on(event, () => this.hear());
  }

  hear(): void {
    this.#heardAtMs = performance.now();
  }

  stop(): void {
    clearTimeout(this.#deadline);
    clearInterval(this.#pings);
  }

  #judge(): void {
    // The silence of a paused socket is ours.
    if (this.#socket.isPaused) this.hear();
    const leftMs = this.#heardAtMs + this.#options.deadMs - performance.now();
    if (leftMs <= 0) return this.#options.onDead();
    this.#deadline = setTimeout(() => this.#judge(), Math.ceil(leftMs));
  }
}
