import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import type { Problem } from "../../api/problem.ts";
import { Field } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";

export type LinkKind = keyof typeof words.gameServers.kinds;

/** The values of the fields of all kinds, as far as a link has them. Secrets are never read. */
export interface LinkValues {
  readonly kind: LinkKind;
  readonly enabled: boolean;
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly hasToken: boolean;
  readonly protocol?: number;
  readonly statusHost?: string;
  readonly statusPort?: number;
  readonly rconHost?: string;
  readonly rconPort?: number;
  readonly rconTls?: boolean;
  readonly hasPassword?: boolean;
}

interface Props {
  readonly values: LinkValues;
  readonly problem: Problem | null;
}

/** The choice of the kind, and the fields of the chosen kind. What was typed for another kind stays. */
export function LinkFields({
  kinds,
  values,
  problem,
}: Props & { readonly kinds: readonly LinkKind[] }): VNode {
  const [kind, setKind] = useState(values.kind);
  const { gameServers } = words;
  const onChange = ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
    setKind(kinds.find((one) => one === currentTarget.value) ?? values.kind);
  return html`<${Field}
      as="select"
      label=${gameServers.kind}
      name="kind"
      hint=${gameServers.kindHints[kind]}
      problem=${problem}
      onChange=${onChange}
    >
      ${kinds.map(
        (one) =>
          html`<option key=${one} value=${one} selected=${one === values.kind}>
            ${gameServers.kinds[one]}
          </option>`,
      )}
    <//>
    ${kinds.map(
      (one) =>
        html`<${OfKind} key=${one} kind=${one} isChosen=${one === kind}>
          ${fieldsOf[one]({ values, problem })}
        <//>`,
    )}
    <${Field}
      label=${gameServers.enabled}
      name="enabled"
      type="checkbox"
      defaultChecked=${values.enabled}
      problem=${problem}
    />`;
}

/** A browser does not send the fields of a disabled group. */
const OfKind = ({
  kind,
  isChosen,
  children,
}: {
  readonly kind: LinkKind;
  readonly isChosen: boolean;
  readonly children?: ComponentChildren;
}): VNode =>
  html`<fieldset hidden=${!isChosen} disabled=${!isChosen} aria-label=${words.gameServers.kinds[kind]}>
    ${children}
  </fieldset>`;

const fieldsOf: Readonly<Record<LinkKind, (props: Props) => ComponentChildren>> = {
  plugin: () => null,
  sidecar: (props) => html`<${SidecarFields} ...${props} />`,
  status: (props) => html`<${StatusFields} ...${props} />`,
  webrcon: (props) => html`<${ConsoleFields} ...${props} />`,
};

const protocols = [8, 7];

function SidecarFields({ values, problem }: Props): VNode {
  const { gameServers } = words;
  return html`<${Field}
      label=${gameServers.baseUrl}
      name="baseUrl"
      hint=${gameServers.baseUrlHint}
      defaultValue=${values.baseUrl}
      spellcheck=${false}
      autocapitalize="none"
      problem=${problem}
    />
    <${Field}
      label=${gameServers.wsUrl}
      name="wsUrl"
      hint=${gameServers.wsUrlHint}
      defaultValue=${values.wsUrl}
      spellcheck=${false}
      autocapitalize="none"
      problem=${problem}
    />
    <${SecretField}
      label=${gameServers.token}
      name="token"
      hint=${gameServers.tokenHint}
      isStored=${values.hasToken}
      problem=${problem}
    />
    ${
      values.protocol !== undefined &&
      html`<${Field} as="select" label=${gameServers.protocol} name="protocol" problem=${problem}>
        ${protocols.map(
          (one) =>
            html`<option key=${one} value=${one} selected=${one === values.protocol}>
              ${one}
            </option>`,
        )}
      <//>`
    }`;
}

function StatusFields({ values, problem }: Props): VNode {
  const { gameServers } = words;
  return html`<${Field}
      label=${gameServers.statusHost}
      name="statusHost"
      hint=${gameServers.statusHostHint}
      defaultValue=${values.statusHost}
      spellcheck=${false}
      autocapitalize="none"
      problem=${problem}
    />
    <${PortField}
      label=${gameServers.statusPort}
      name="statusPort"
      port=${values.statusPort}
      problem=${problem}
    />`;
}

function ConsoleFields({ values, problem }: Props): VNode {
  const { gameServers } = words;
  return html`<${Field}
      label=${gameServers.rconHost}
      name="rconHost"
      hint=${gameServers.rconHostHint}
      defaultValue=${values.rconHost}
      spellcheck=${false}
      autocapitalize="none"
      problem=${problem}
    />
    <${PortField}
      label=${gameServers.rconPort}
      name="rconPort"
      hint=${gameServers.rconPortHint}
      port=${values.rconPort}
      problem=${problem}
    />
    <${SecretField}
      label=${gameServers.rconPassword}
      name="rconPassword"
      hint=${gameServers.rconPasswordHint}
      isStored=${values.hasPassword}
      problem=${problem}
    />
    <${Field}
      label=${gameServers.rconTls}
      name="rconTls"
      type="checkbox"
      hint=${gameServers.rconTlsHint}
      defaultChecked=${values.rconTls}
      problem=${problem}
    />`;
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly problem: Problem | null;
}

const PortField = ({ port, ...field }: FieldProps & { readonly port?: number }): VNode =>
  html`<${Field} ...${field} type="number" min="1" max="65535" defaultValue=${port} required />`;

/** A secret can be replaced, but not read. */
const SecretField = ({
  hint = "",
  isStored = false,
  ...field
}: FieldProps & { readonly isStored?: boolean }): VNode =>
  html`<${Field}
    ...${field}
    type="password"
    autocomplete="new-password"
    hint=${isStored ? `${hint} ${words.gameServers.keepSecret}` : hint}
  />`;
