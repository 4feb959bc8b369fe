import { WebSocket } from "ws";

export interface AdaptedSidecar {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The interval of pings. The sidecar closes a connection that is silent for 45 s. */
const pingMs = 15_000;

/** A connection to a sidecar, with the frames that were not read yet. */
export class SidecarConnection {
  readonly #socket: WebSocket;
  readonly #ended = new AbortController();
  readonly #frames: Fields[] = [];
  readonly #pings: NodeJS.Timeout;
  #arrived = Promise.withResolvers<void>();
  /** Aborts when the connection or the adapter ends. */
  readonly signal: AbortSignal;

  constructor({ wsUrl, token }: AdaptedSidecar, protocol: number, ending: AbortSignal) {
    this.signal = AbortSignal.any([ending, this.#ended.signal]);
    const url = new URL(wsUrl);
    url.searchParams.set("protocol", String(protocol));
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    this.#socket = socket;
    socket.on("message", (data: Buffer) => {
      const frame = readFrame(data);
      if (frame) this.put(frame);
    });
    socket.on("error", () => this.end());
    socket.on("close", () => this.end());
    this.#pings = setInterval(() => {
      if (socket.readyState === socket.OPEN) socket.ping();
    }, pingMs);
    this.signal.addEventListener("abort", () => {
      clearInterval(this.#pings);
      socket.terminate();
      this.#arrived.resolve();
    });
  }

  /** Adds a frame to those that were not read yet. */
  put(frame: Fields): void {
    this.#frames.push(frame);
    this.#arrived.resolve();
  }

  /**
   * Waits for frames.
   * @returns all frames that were not read yet, or none if the connection has ended
   */
  async next(): Promise<Fields[]> {
    while (this.#frames.length === 0 && !this.signal.aborted) {
      this.#arrived = Promise.withResolvers();
      await this.#arrived.promise;
    }
    return this.#frames.splice(0);
  }

  /** Puts frames back, so that they are read again first. */
  putBack(frames: readonly Fields[]): void {
    this.#frames.unshift(...frames);
  }

  acknowledge(epoch: unknown, seq: number): void {
    this.#socket.send(JSON.stringify({ type: "ack", epoch, seq }));
  }

  end(): void {
    this.#ended.abort();
  }
}

function readFrame(data: Buffer): Fields | undefined {
  try {
    return JSON.parse(data.toString()) as Fields;
  } catch {
    // Skip a frame that is not JSON: a plugin's calls contain only JSON.
    return undefined;
  }
}
