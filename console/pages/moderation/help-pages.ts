import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { reloadOnFailure, useAction } from "../../parts/use-action.ts";
import { useCommand } from "../../parts/use-command.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { formatGameLocation } from "../people/person-possessions.ts";

type Pages = AnswerOf<"GET /admin/shard/pages">;
type HelpPage = Pages[number];

const everyMs = 15_000;

/** The calls for help of players that nobody has closed. */
export function HelpPages(): VNode {
  const read = useApiRead("GET /admin/shard/pages", {}, everyMs);
  const [done, setDone] = useState("");
  // Answers that are being written must not disappear when another member of staff closes their pages.
  const [kept, setKept] = useState<readonly HelpPage[]>([]);
  const keep = (page: HelpPage, isTyping: boolean) =>
    setKept((were) => [...were.filter(({ id }) => id !== page.id), ...(isTyping ? [page] : [])]);
  const tell = async (text: string) => {
    setDone(text);
    await read.reload();
  };
  return html`<p>${words.helpPages.hint}</p>
    ${done !== "" && html`<p class="notice good" role="status">${done}</p>`}
    <${ReadStateView} read=${read}>
      ${(pages: Pages) => {
        const gone = kept.filter((one) => !pages.some(({ id }) => id === one.id));
        const shown = gone.length === 0 ? pages : [...pages, ...gone].toSorted(byTime);
        if (shown.length === 0) return html`<p class="soft">${words.helpPages.none}</p>`;
        return html`<div class="stack">
          ${shown.map(
            (page) =>
              html`<${OneHelpPage}
                key=${page.id}
                page=${page}
                isGone=${gone.includes(page)}
                onTyping=${(isTyping: boolean) => keep(page, isTyping)}
                tell=${tell}
                reload=${read.reload}
              />`,
          )}
        </div>`;
      }}
    <//>`;
}

const byTime = (one: HelpPage, other: HelpPage): number =>
  Date.parse(one.sentAt ?? "") - Date.parse(other.sentAt ?? "") || 0;

interface Props {
  readonly page: HelpPage;
  /** True if the page was closed while the person wrote an answer. */
  readonly isGone: boolean;
  readonly onTyping: (isTyping: boolean) => void;
  readonly tell: (text: string) => Promise<void>;
  readonly reload: () => Promise<void>;
}

function OneHelpPage({ page, isGone, onTyping, tell, reload }: Props): VNode {
  const may = useAccessCheck();
  const { sender, location: place } = page;
  const handler = nameOf(page.handler);
  return html`<section class="card" aria-label=${words.helpPages.of(sender.name)}>
    <h2>${words.helpPages.of(sender.name)}</h2>
    <p class="soft">
      ${[page.type, formatTime(page.sentAt), formatGameLocation(place), sender.serial].join(" · ")}
    </p>
    <p class="text">${page.message}</p>
    ${handler !== null && html`<p>${words.helpPages.handledBy(handler)}</p>`}
    ${
      page.responses.length > 0 &&
      html`<ul>
        ${page.responses.map(
          ({ by, message, at }, index) =>
            html`<li key=${index}>
              ${words.appeal.messageOf(nameOf(by) ?? "–", formatTime(at))}: ${message}
            </li>`,
        )}
      </ul>`
    }
    ${isGone && html`<p class="notice bad" role="status">${words.helpPages.closedMeanwhile}</p>`}
    ${
      may("POST /admin/shard/pages/{id}/respond") &&
      html`<${Answer} page=${page} isGone=${isGone} onTyping=${onTyping} tell=${tell} reload=${reload} />`
    }
    ${!isGone && html`<${CloseButton} page=${page} tell=${tell} />`}
  </section>`;
}

/** Returns the name of a person as the shard reports it: as a text or as a character. */
function nameOf(someone: HelpPage["handler"]): string | null {
  if (someone === null || typeof someone === "string") return someone;
  return someone.name ?? someone.serial ?? null;
}

function Answer({ page: { id, sender }, isGone, onTyping, tell, reload }: Props): VNode {
  const action = useAction();
  const command = useCommand();
  const [sent, setSent] = useState(0);
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const mark = (isTyping: boolean) => {
    setDirty(isTyping);
    onTyping(isTyping);
  };
  const onSend = async (values: FormData) => {
    const body = { message: readTextField(values, "message"), close: values.get("close") === "on" };
    await reloadOnFailure(reload, () =>
      command({ id, body }, (headers) =>
        callApi("POST /admin/shard/pages/{id}/respond", { path: { id }, body, headers }),
      ),
    );
    mark(false);
    setSent((count) => count + 1);
    await tell(words.helpPages.answered(sender.name));
  };
  const discard = html`<button type="button" onClick=${() => mark(false)}>
    ${words.helpPages.discard}
  </button>`;
  return html`<div onInput=${() => mark(true)}>
    <${Form}
      key=${sent}
      action=${action}
      onSend=${onSend}
      send=${words.helpPages.answer}
      label=${words.helpPages.answerTo(sender.name)}
      more=${isGone && discard}
    >
      <${Field}
        label=${words.helpPages.message}
        name="message"
        as="textarea"
        maxlength="1024"
        required
        problem=${action.problem}
      />
      <${Field} label=${words.helpPages.andClose} name="close" type="checkbox" />
    <//>
  </div>`;
}

function CloseButton({ page: { id, sender }, tell }: Pick<Props, "page" | "tell">): VNode | null {
  const may = useAccessCheck();
  const command = useCommand();
  if (!may("POST /admin/shard/pages/{id}/close")) return null;
  const onConfirm = async () => {
    await command({ id }, (headers) =>
      callApi("POST /admin/shard/pages/{id}/close", { path: { id }, headers }),
    );
    await tell(words.helpPages.closed(sender.name));
  };
  return html`<p>
    <${ConfirmButton}
      text=${words.helpPages.close}
      title=${words.helpPages.of(sender.name)}
      question=${words.helpPages.closeEffect}
      confirm=${words.helpPages.close}
      onConfirm=${onConfirm}
    />
  </p>`;
}
