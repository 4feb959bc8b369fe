/**
 * Received frames that the consumer has not taken, limited in number and bytes. No timer delays a batch: it
 * contains the frames that arrived while the previous batch was stored.
 */
export class FrameQueue<Frame> {
  readonly #maxFrames: number;
  readonly #maxBytes: number;
  #frames: Frame[] = [];
  #sizes: number[] = [];
  #bytes = 0;
  #arrival = Promise.withResolvers<void>();
  #closed = false;

  constructor(bounds: { readonly frames: number; readonly bytes: number }) {
    this.#maxFrames = bounds.frames;
    this.#maxBytes = bounds.bytes;
  }

  get length(): number {
    return this.#frames.length;
  }

  /** True if the socket must be paused, because the queue has reached a limit. */
  get isFull(): boolean {
    return this.#frames.length > this.#maxFrames || this.#bytes > this.#maxBytes;
  }

  /** True if half of the queue is free, so that a paused socket may resume. */
  get hasRoom(): boolean {
    return this.#frames.length <= this.#maxFrames / 2 && this.#bytes <= this.#maxBytes / 2;
  }

  put(frame: Frame, bytes: number): void {
    this.#frames.push(frame);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    if (this.#frames.length === 1) this.#arrival.resolve();
  }

  /**
   * Takes up to `max` of the oldest frames. Waits for the first frame.
   * @throws the signal's reason if it aborts, an Error if the queue is closed
   */
  async take(max: number, signal?: AbortSignal): Promise<Frame[]> {
    signal?.throwIfAborted();
    // After the wait, all frames that arrived in the same network read are in the queue.
    while (this.#frames.length === 0 && !this.#closed) await this.#wait(signal);
    if (this.#closed) throw new Error("the bridge socket was stopped");
    for (const size of this.#sizes.splice(0, max)) this.#bytes -= size;
    const taken = this.#frames.splice(0, max);
    if (this.#frames.length === 0) this.#arrival = Promise.withResolvers();
    return taken;
  }

  clear(): void {
    if (this.#frames.length === 0) return;
    this.#frames = [];
    this.#sizes = [];
    this.#bytes = 0;
    this.#arrival = Promise.withResolvers();
  }

  /** Makes every wait fail from now on. */
  close(): void {
    this.#closed = true;
    this.#arrival.resolve();
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const arrival = this.#arrival.promise;
    if (!signal) return arrival;
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await Promise.race([arrival, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}
