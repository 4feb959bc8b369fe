import type { RejectedFrame } from "../../platform/bridge/frames.ts";
import { namesPersonalFields } from "./personal-fields.ts";

/**
 * Where players are is written nowhere, a plugin's words may quote its configuration, and a hash of a
 * short code tells the code to whoever tries them all.
 */
const secretKinds = ["map.live", "config.outcome", "link.minted"];

/** A refused frame as it may be kept: of what is secret or personal neither an excerpt nor a value. */
export function withoutSecrets(frame: RejectedFrame): RejectedFrame {
  // Of a text whose kind cannot be read nobody knows what it tells, and its payload may stand first.
  if (frame.kind === null) return { ...frame, excerpt: "" };
  const isSecret =
    secretKinds.some((kind) => frame.kind === kind || frame.excerpt.includes(kind)) ||
    namesPersonalFields(frame.excerpt);
  if (!isSecret) return frame;
  const { detail, ...kept } = frame;
  return { ...kept, excerpt: "", ...(frame.reason === "schema" && { detail: fieldOf(detail) }) };
}

/** The field that is wrong; what it held may be part of the fault's words. */
const fieldOf = (detail = ""): string => detail.split(" ", 1)[0] ?? "";
