import type { RejectReason } from "../bridge/frames.ts";

/** Thrown if a frame contradicts the stored rows; only this frame is refused. */
export class FrameRefusedError extends Error {
  readonly reason: RejectReason;

  constructor(reason: RejectReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
