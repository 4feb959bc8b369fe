import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, type BodyOf, callApi } from "../../api/call.ts";
import { faultOf, Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { fromLocalTime } from "../../parts/local-time.ts";
import { Options } from "../../parts/options.ts";
import { useAction } from "../../parts/use-action.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";

export type CreatedToken = AnswerOf<"POST /admin/tokens">;
type Body = BodyOf<"POST /admin/tokens">;
type Scope = Body["scopes"][number];

const roles = ["player", "editor", "moderator"] as const satisfies readonly Body["role"][];

/** Creates a token with a role, scopes and an optional expiry. */
export function TokenForm({ onMade }: { readonly onMade: (token: CreatedToken) => void }): VNode {
  const action = useAction();
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const onSend = async (values: FormData) => {
    const body: Body = {
      name: readTextField(values, "name").trim(),
      role: readTextField(values, "role") as Body["role"],
      scopes: values.getAll("scopes") as Scope[],
      expiresAt: fromLocalTime(readTextField(values, "expiresAt")),
    };
    onMade(await callApi("POST /admin/tokens", { body }));
    setDirty(false);
  };
  const { problem } = action;
  return html`<div onInput=${() => setDirty(true)}>
    <${Form} action=${action} onSend=${onSend} send=${words.tokens.create} label=${words.tokens.create}>
      <${Field}
        label=${words.tokens.name}
        hint=${words.tokens.nameHint}
        name="name"
        maxlength="64"
        required
        problem=${problem}
      />
      <${Field} as="select" label=${words.tokens.role} hint=${words.tokens.roleHint} name="role" problem=${problem}>
        <${Options} options=${roles.map((role) => ({ value: role, text: words.roles[role] }))} chosen="player" />
      <//>
      <${Scopes} fault=${faultOf(problem, "scopes")} />
      <${Field}
        label=${words.tokens.expires}
        hint=${words.tokens.expiresHint}
        name="expiresAt"
        type="datetime-local"
        problem=${problem}
      />
    <//>
  </div>`;
}

/** For each chapter of the API, the scopes to read and to change. */
function Scopes({ fault }: { readonly fault: string | undefined }): VNode {
  const { chapters, read, write, scopes } = words.tokens;
  return html`<fieldset class="stack">
    <legend>${scopes}</legend>
    ${fault && html`<p class="bad">${fault}</p>`}
    <div class="fields">
      ${Object.entries(chapters).map(
        ([chapter, name]) =>
          html`<div key=${chapter}>
            <strong>${name}</strong>
            <${ScopeBox} scope=${`${chapter}:read`} text=${read} chapter=${name} />
            <${ScopeBox} scope=${`${chapter}:write`} text=${write} chapter=${name} />
          </div>`,
      )}
    </div>
  </fieldset>`;
}

const ScopeBox = ({
  scope,
  text,
  chapter,
}: {
  readonly scope: string;
  readonly text: string;
  readonly chapter: string;
}): VNode =>
  html`<${Field}
    label=${text}
    name="scopes"
    value=${scope}
    type="checkbox"
    aria-label=${`${chapter}: ${text}`}
  />`;
