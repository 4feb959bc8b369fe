import type { AnswerOf } from "../../api/call.ts";
import { words } from "../../words/words.ts";

export type Webhook = AnswerOf<"GET /admin/webhooks">["webhooks"][number];

/** Returns the state of a webhook in words. */
export function webhookStateOf({ enabled, failing, disabled_reason: reason }: Webhook): {
  readonly text: string;
  readonly isGood: boolean;
} {
  const { on, off, fails, turnedOff } = words.webhooks;
  if (!enabled) return { text: reason === null ? off : turnedOff[reason], isGood: false };
  return failing ? { text: fails, isGood: false } : { text: on, isGood: true };
}
