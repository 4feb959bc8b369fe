import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";
import { Field } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { toProblem } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { preparePreviewHtml } from "./preview-html.ts";

type Preview = AnswerOf<"POST /admin/content/preview">;

/** The preview is requested when the text has not changed for this time. */
const pauseMs = 400;

/** The text of a post or page in Markdown, with the preview beside it. */
export function BodyField({
  body,
  problem,
}: {
  readonly body: string;
  readonly problem: Problem | null;
}): VNode {
  const [typed, setTyped] = useState(body);
  const box = useRef<HTMLDivElement>(null);
  const { preview, problem: fault, isOld } = usePreview(typed);
  /** Selects a line of the text, to show where the service removed something. */
  const showLine = (line: number) => {
    const field = box.current?.querySelector("textarea");
    if (!field) return;
    const lines = field.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    field.focus();
    field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  };
  return html`<div class="beside" ref=${box}>
    <${Field}
      as="textarea"
      label=${words.content.body}
      hint=${words.content.bodyHint}
      name="body"
      class="tall code"
      defaultValue=${body}
      maxlength="100000"
      required
      problem=${problem}
      onInput=${(event: InputEvent) => setTyped((event.target as HTMLTextAreaElement).value)}
    />
    <section class="field" aria-label=${words.content.preview} aria-busy=${isOld}>
      <h2 class="label">${words.content.preview}</h2>
      <${ProblemView} problem=${fault} />
      ${preview ? html`<${Rendered} preview=${preview} onLine=${showLine} />` : html`<p class="soft">${words.content.noPreview}</p>`}
    </section>
  </div>`;
}

function Rendered({
  preview: { html: text, removed },
  onLine,
}: {
  readonly preview: Preview;
  readonly onLine: (line: number) => void;
}): VNode {
  const shown = useMemo(() => preparePreviewHtml(text), [text]);
  return html`${
    removed.length > 0 &&
    html`<div class="notice">
      <p>${words.content.removed(removed.length)}</p>
      <ul>
        ${removed.map(
          ({ line, text: part, address, rule }, at) =>
            html`<li key=${at}>
              <button type="button" class="link" onClick=${() => onLine(line)}>
                ${words.content.line(line)}
              </button>
              ${" "}<code>${part}</code>${address !== null && html` <code>${address}</code>`}${": "}
              ${words.content.rules[rule]}
            </li>`,
        )}
      </ul>
    </div>`
  }
    <div class="preview" dangerouslySetInnerHTML=${{ __html: shown }}></div>`;
}

/** Renders the text at the service while the person types. The last preview stays until the next one arrives. */
function usePreview(body: string): {
  readonly preview: Preview | null;
  readonly problem: Problem | null;
  readonly isOld: boolean;
} {
  const [state, setState] = useState<{
    body: string;
    preview: Preview | null;
    problem: Problem | null;
  }>({ body: "", preview: null, problem: null });
  const isFirst = useRef(true);
  useEffect(() => {
    if (body.trim() === "") {
      setState({ body, preview: null, problem: null });
      return undefined;
    }
    const control = new AbortController();
    const read = async () => {
      const sent = { body: { body }, signal: control.signal };
      const answer = await callApi("POST /admin/content/preview", sent).catch(
        toProblemUnlessAborted,
      );
      if (control.signal.aborted || answer === null) return;
      const isRefused = answer instanceof Problem;
      setState((was) => ({
        body,
        preview: isRefused ? was.preview : answer,
        problem: isRefused ? answer : null,
      }));
    };
    const timer = setTimeout(() => void read(), isFirst.current ? 0 : pauseMs);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [body]);
  return { ...state, isOld: state.body !== body };
}

/** @returns null if the request was aborted because the text changed meanwhile */
const toProblemUnlessAborted = (error: unknown): Problem | null =>
  error instanceof DOMException && error.name === "AbortError" ? null : toProblem(error);
