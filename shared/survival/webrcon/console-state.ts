import type { FrameBuffer, NewEvent } from "./frame-buffer.ts";
import { GameTracker } from "./game-tracker.ts";
import { PlayerTracker } from "./player-tracker.ts";

/** The state of a feed over all its connections. */
export class ConsoleState {
  readonly buffer: FrameBuffer;
  readonly game = new GameTracker();
  readonly players = new PlayerTracker();
  #hasEpoch = false;

  constructor(buffer: FrameBuffer) {
    this.buffer = buffer;
  }

  putEvent(event: Pick<NewEvent, "kind" | "payload" | "eventKey" | "t">): void {
    const saveId = this.game.world?.saveId ?? null;
    this.buffer.putEvent({ ...event, bootId: this.game.bootId, saveId });
  }

  putState(kind: string, payload: NewEvent["payload"], at: number): void {
    this.putEvent({ kind, payload, eventKey: null, t: at });
  }

  /**
   * Begins the stream of a connection. The game is heard from now on: what happened before is a gap,
   * unless nothing was ever stored.
   */
  beginStream(bootId: string | null, capabilities: readonly string[], hasCursor: boolean): void {
    const { buffer } = this;
    const hasGap = hasCursor || this.#hasEpoch;
    this.#hasEpoch = true;
    buffer.beginEpoch(hasGap);
    const hello = {
      type: "hello",
      protocol: 13,
      epoch: buffer.epoch,
      bootId,
      head: buffer.head,
      oldest: buffer.head + 1,
      pluginConnected: true,
      capabilities,
      t: Date.now(),
    } as const;
    buffer.put({ ...hello, details: { ...hello } });
    if (hasGap) buffer.putGap(1, 1, "not heard");
    buffer.put({ type: "live", head: buffer.head });
  }
}
