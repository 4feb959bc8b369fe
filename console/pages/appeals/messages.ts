import type { VNode } from "preact";

import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";
import type { StaffMessage } from "./states.ts";

/** The reason of the player, and the messages and notes after it, the oldest first. */
export function Messages({
  messages,
  reason,
  user,
  at,
}: {
  readonly messages: readonly StaffMessage[];
  readonly reason: string;
  readonly user: string;
  readonly at: string;
}): VNode {
  return html`<ol class="messages">
    <li class="card">
      <p class="soft">${words.appeal.messageOf(user, formatTime(at))}</p>
      <p class="text">${reason}</p>
    </li>
    ${messages.map(
      (message) =>
        html`<li key=${message.id} class=${message.internal ? "card internal" : "card"}>
          <p class="soft">
            ${words.appeal.messageOf(
              message.author_name ?? words.appeal.deletedUser,
              formatTime(message.created_at),
            )}
            ${message.internal && html` · <strong>${words.appeal.note}</strong>`}
            ${!message.internal && message.author === "staff" && ` · ${words.appeal.staff}`}
          </p>
          <p class="text">${message.body}</p>
        </li>`,
    )}
  </ol>`;
}
