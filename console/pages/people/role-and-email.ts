import type { VNode } from "preact";

import type { Problem } from "../../api/problem.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { Options } from "../../parts/options.ts";
import { words } from "../../words/words.ts";
import { roleChoices, parseRole } from "./roles.ts";

/** The fields for the role and the e-mail address of a person who has no account yet. */
export function RoleAndEmail({
  emailHint,
  problem,
}: {
  readonly emailHint: string;
  readonly problem: Problem | null;
}): VNode {
  return html`<${Field} label=${words.people.role} name="role" as="select" problem=${problem}>
      <${Options} options=${roleChoices()} chosen="player" />
    <//>
    <${Field}
      label=${words.people.email}
      name="email"
      type="email"
      autocomplete="off"
      hint=${emailHint}
      problem=${problem}
    />`;
}

/** Reads the fields of `RoleAndEmail` for the body of a request, which has no e-mail address if the field is empty. */
export function readRoleAndEmail(values: FormData) {
  const email = readTextField(values, "email").trim();
  return {
    role: parseRole(readTextField(values, "role")) ?? "player",
    ...(email !== "" && { email }),
  };
}
