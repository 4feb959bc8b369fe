import type { VNode } from "preact";

import type { Problem } from "../../api/problem.ts";
import { Field } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";
import type { LinkKind } from "./link-fields.ts";

export const serverKinds: readonly LinkKind[] = ["webrcon", "plugin", "sidecar"];

interface ServerValues {
  readonly name: string;
  readonly slug: string;
  readonly region: string;
  readonly connect: string;
  readonly listed: boolean;
  readonly acceptsLinks: boolean;
}

interface Props {
  readonly values: ServerValues;
  readonly problem: Problem | null;
}

/** The fields of a survival server that do not belong to its link. */
export const ServerFields = (props: Props): VNode =>
  html`<${Texts} ...${props} />
    <${Choices} ...${props} />`;

function Texts({ values, problem }: Props): VNode {
  const { gameServers } = words;
  return html`<${Field}
      label=${gameServers.name}
      name="name"
      defaultValue=${values.name}
      maxlength="100"
      required
      problem=${problem}
    />
    <${Field}
      label=${gameServers.slug}
      name="slug"
      hint=${gameServers.slugHint}
      defaultValue=${values.slug}
      maxlength="63"
      autocapitalize="none"
      spellcheck=${false}
      problem=${problem}
    />
    <${Field}
      label=${gameServers.region}
      name="region"
      defaultValue=${values.region}
      maxlength="64"
      problem=${problem}
    />
    <${Field}
      label=${gameServers.connect}
      name="connect"
      hint=${gameServers.connectHint}
      defaultValue=${values.connect}
      maxlength="300"
      autocapitalize="none"
      spellcheck=${false}
      problem=${problem}
    />`;
}

function Choices({ values, problem }: Props): VNode {
  const { gameServers } = words;
  return html`<${Field}
      label=${gameServers.listed}
      name="listed"
      type="checkbox"
      defaultChecked=${values.listed}
      problem=${problem}
    />
    <${Field}
      label=${gameServers.acceptsLinks}
      name="acceptsLinks"
      type="checkbox"
      hint=${gameServers.acceptsLinksHint}
      defaultChecked=${values.acceptsLinks}
      problem=${problem}
    />`;
}
