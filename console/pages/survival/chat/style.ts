import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";

type Voice = AnswerOf<"GET /admin/survival/voice">["voice"];

const styleSpecs = (): readonly FieldSpec[] => {
  const { style: text } = words.survival;
  const color = { kind: "text", hint: text.colorHint, input: { required: true } } as const;
  const size = { kind: "number", input: { required: true, min: 8, max: 32, step: 1 } } as const;
  const format = { kind: "text", hint: text.formatHint, input: { required: true } } as const;
  return [
    { name: "name", kind: "text", label: text.name, input: { required: true } },
    { name: "title.text", kind: "text", label: text.titleText },
    { name: "title.color", label: text.titleColor, ...color },
    { name: "title.size", label: text.titleSize, ...size },
    { name: "title.hidden", kind: "check", label: text.titleHidden },
    { name: "username.color", label: text.usernameColor, ...color },
    { name: "username.size", label: text.usernameSize, ...size },
    { name: "message.color", label: text.messageColor, ...color },
    { name: "message.size", label: text.messageSize, ...size },
    { name: "format.chat", label: text.formatChat, ...format },
    { name: "format.console", label: text.formatConsole, ...format },
    { name: "iconSteamId", kind: "text", label: text.icon, hint: text.iconHint, isNullable: true },
    { name: "prefix", kind: "text", label: text.prefix, isNullable: true },
  ];
};

async function saveStyle(body: object, basis: Voice): Promise<Voice> {
  const answer = await callApi("PUT /admin/survival/voice", {
    body: { ...body, basedOn: basis.revision },
  });
  return answer.voice;
}

/** The style of the site's messages in the chat of the games. */
export function ChatStyle(): VNode {
  const { style: text } = words.survival;
  const read = useApiRead("GET /admin/survival/voice", {});
  return html`<h2>${text.title}</h2>
    <p class="soft">${text.hint}</p>
    <${ReadStateView} read=${read}>
      ${({ voice }: { readonly voice: Voice }) =>
        html`<p class="soft">
            ${
              voice.updatedAt === null
                ? text.unchanged
                : words.survival.npcs.changedBy(formatTime(voice.updatedAt), voice.updatedBy)
            }
          </p>
          <${EditForm}
            label=${text.title}
            send=${words.actions.save}
            stored=${voice}
            specs=${styleSpecs()}
            isWhole
            save=${saveStyle}
          />`}
    <//>`;
}
