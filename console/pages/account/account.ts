import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";
import { PasswordForm } from "./password-form.ts";
import { SecondFactor } from "./second-factor.ts";

/** The signed-in user's own account. */
export function Account(): VNode {
  return html`<h1>${words.pages.account}</h1>
    <${SecondFactor} />
    <${PasswordForm} />`;
}
