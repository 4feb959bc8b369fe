import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Secret } from "../../parts/secret.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { type CreatedToken, TokenForm } from "./token-form.ts";

type Answer = AnswerOf<"GET /admin/tokens">;

/** The API tokens of programs: creates tokens, shows each secret once, and revokes tokens. */
export function Tokens(): VNode {
  const read = useApiRead("GET /admin/tokens", {});
  const [made, setMade] = useState<CreatedToken | null>(null);
  const onMade = (token: CreatedToken) => {
    setMade(token);
    void read.reload();
  };
  return html`<h1>${words.pages.tokens}</h1>
    <p class="soft">${words.tokens.hint}</p>
    ${
      made &&
      html`<${Secret}
      key=${made.token.id}
      label=${words.tokens.made(made.token.name)}
      value=${made.secret}
      hint=${words.tokens.secretHint}
    />`
    }
    <${ReadStateView} read=${read}>
      ${({ tokens }: Answer) => html`<${TokenTable} tokens=${tokens} onRevoked=${read.reload} />`}
    <//>
    <h2>${words.tokens.create}</h2>
    <${TokenForm} key=${made?.token.id} onMade=${onMade} />`;
}

function TokenTable({
  tokens,
  onRevoked,
}: {
  readonly tokens: Answer["tokens"];
  readonly onRevoked: () => Promise<void>;
}): VNode {
  const { name, role, scopes, expires, used, none, created, actions } = words.tokens;
  const rows = tokens.map((token) => ({
    key: token.id,
    cells: [
      token.name,
      words.roles[token.role],
      html`<code>${token.scopes.join(" ")}</code>`,
      formatTime(token.created_at),
      token.expires_at === null ? words.never : formatTime(token.expires_at),
      token.last_used_at === null ? words.never : formatTime(token.last_used_at),
      html`<${RevokeButton} token=${token} onRevoked=${onRevoked} />`,
    ],
  }));
  return html`<${Table}
    label=${words.pages.tokens}
    heads=${[name, role, scopes, created, expires, used, actions]}
    rows=${rows}
    none=${none}
  />`;
}

function RevokeButton({
  token: { id, name },
  onRevoked,
}: {
  readonly token: Answer["tokens"][number];
  readonly onRevoked: () => Promise<void>;
}): VNode {
  const revoke = async () => {
    await callApi("DELETE /admin/tokens/{id}", { path: { id } });
    await onRevoked();
  };
  return html`<${ConfirmButton}
    danger
    text=${words.tokens.revoke}
    label=${words.tokens.revokeTitle(name)}
    title=${words.tokens.revokeTitle(name)}
    question=${words.tokens.revokeQuestion}
    confirm=${words.tokens.revoke}
    onConfirm=${revoke}
  />`;
}
