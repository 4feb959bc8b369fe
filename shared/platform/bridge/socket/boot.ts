import type { StreamFrame } from "../frames.ts";

/** The game process of a frame; null where the frame says nothing of one, or that it is gone. */
export const bootOf = (frame: StreamFrame): string | null =>
  isGone(frame) || !("bootId" in frame) ? null : frame.bootId;

/** Whether a frame says that the game process is not there. */
export const isGone = (frame: StreamFrame): boolean =>
  (frame.type === "plugin" && !frame.connected) ||
  (frame.type === "hello" && !frame.pluginConnected);

/** Whether a frame tells of the stream itself and not of the game. */
export const speaksOfStream = ({ type }: StreamFrame): boolean =>
  type === "hello" || type === "gap" || type === "plugin";

/** Whether what was known before a frame may be wrong after it. */
export const makesDoubtful = (frame: StreamFrame): boolean =>
  frame.type === "hello" || frame.type === "gap" || (frame.type === "plugin" && frame.connected);
