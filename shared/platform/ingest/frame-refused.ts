import type { RejectReason } from "../bridge/frames.ts";

/** What a frame says cannot be taken in beside what is stored: it is refused, and nothing else is. */
export class FrameRefused extends Error {
  readonly reason: RejectReason;

  constructor(reason: RejectReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
