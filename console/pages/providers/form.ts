import type { VNode } from "preact";

import type { AnswerOf, BodyOf } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { Options, optionsOf } from "../../parts/options.ts";
import { words } from "../../words/words.ts";

export type ProviderConfig = AnswerOf<"GET /admin/auth/providers">[number];

type Body = BodyOf<"POST /admin/auth/providers">;

/** The fields of a provider as the person edits them, without its id and its secret. */
export type ProviderValues = Required<Omit<Body, "id" | "clientSecret" | "password" | "code">>;

const empty: ProviderValues = {
  name: "",
  icon: null,
  priority: 100,
  enabled: true,
  issuer: "",
  clientId: "",
  scopes: [],
  tokenAuthMethod: null,
  idTokenAlgorithm: null,
};

export function toValues(provider: ProviderConfig | null): ProviderValues {
  if (!provider) return empty;
  const { name, icon, priority, enabled, issuer, clientId, scopes } = provider;
  const { tokenAuthMethod, idTokenAlgorithm } = provider;
  const methods = { tokenAuthMethod, idTokenAlgorithm };
  return { name, icon, priority, enabled, issuer, clientId: clientId ?? "", scopes, ...methods };
}

/** Returns the typed values. A field that the form does not show keeps its value. */
export function readForm(values: FormData, before: ProviderValues): ProviderValues {
  const chosen = (name: "tokenAuthMethod" | "idTokenAlgorithm") =>
    values.has(name) ? readTextField(values, name) || null : before[name];
  return {
    name: readTextField(values, "name").trim(),
    icon: readTextField(values, "icon").trim() || null,
    priority: Number(readTextField(values, "priority")),
    enabled: values.get("enabled") === "on",
    issuer: values.has("issuer") ? readTextField(values, "issuer").trim() : before.issuer,
    clientId: readTextField(values, "clientId").trim(),
    scopes: readTextField(values, "scopes")
      .split(/[\s,]+/)
      .filter(Boolean),
    tokenAuthMethod: chosen("tokenAuthMethod") as ProviderValues["tokenAuthMethod"],
    idTokenAlgorithm: chosen("idTokenAlgorithm") as ProviderValues["idTokenAlgorithm"],
  };
}

/**
 * Returns the client secret to send: the typed one, or null to remove it. Undefined keeps the stored one, which the
 * service never returns.
 */
export function readClientSecret(values: FormData): string | null | undefined {
  if (values.get("removeSecret") === "on") return null;
  return readTextField(values, "clientSecret") || undefined;
}

interface FieldsProps {
  readonly provider: ProviderConfig | null;
  readonly problem: Problem | null;
}

/** All fields of a provider except its id. */
export function ProviderFields({ provider, problem }: FieldsProps): VNode {
  const values = toValues(provider);
  const { providers } = words;
  const text = (name: "name" | "clientId", hint: string) =>
    html`<${Field}
      label=${providers[name]}
      hint=${hint}
      name=${name}
      defaultValue=${values[name]}
      required=${name === "name" || !provider}
      problem=${problem}
    />`;
  return html`<div class="fields">
    ${text("name", providers.nameHint)}
    ${
      !provider?.builtin &&
      html`<${Field}
      label=${providers.issuer}
      hint=${providers.issuerHint}
      name="issuer"
      type="url"
      defaultValue=${values.issuer}
      required
      problem=${problem}
    />`
    }
    ${text("clientId", providers.clientIdHint)}
    <${SecretFields} provider=${provider} problem=${problem} />
    <${Field}
      label=${providers.scopes}
      hint=${providers.scopesHint}
      name="scopes"
      defaultValue=${values.scopes.join(" ")}
      problem=${problem}
    />
    <${Methods} provider=${provider} problem=${problem} />
    <${Appearance} provider=${provider} problem=${problem} />
  </div>`;
}

/** How sign-in pages show the provider, and whether they do. */
function Appearance({ provider, problem }: FieldsProps): VNode {
  const values = toValues(provider);
  const { providers } = words;
  return html`<${Field}
      label=${providers.icon}
      hint=${providers.iconHint}
      name="icon"
      defaultValue=${values.icon ?? ""}
      problem=${problem}
    />
    <${Field}
      label=${providers.priority}
      hint=${providers.priorityHint}
      name="priority"
      type="number"
      defaultValue=${values.priority}
      required
      problem=${problem}
    />
    <${Field}
      label=${providers.enabled}
      name="enabled"
      type="checkbox"
      defaultChecked=${values.enabled}
      problem=${problem}
    />`;
}

function SecretFields({ provider, problem }: FieldsProps): VNode {
  const { clientSecret, secretHint, keepSecretHint, removeSecret } = words.providers;
  return html`<${Field}
      label=${clientSecret}
      hint=${provider?.hasSecret ? keepSecretHint : secretHint}
      name="clientSecret"
      type="password"
      autocomplete="off"
      problem=${problem}
    />
    ${provider?.hasSecret && html`<${Field} label=${removeSecret} name="removeSecret" type="checkbox" />`}`;
}

const algorithms =
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519 HS256 HS384 HS512".split(
    " ",
  );

/** How the site sends the secret, and the algorithm of ID tokens. Providers of OAuth 2 issue no ID tokens. */
function Methods({ provider, problem }: FieldsProps): VNode {
  const { tokenAuthMethod, idTokenAlgorithm } = toValues(provider);
  const { methods, algorithm, algorithmHint, method, byMetadata, anyAlgorithm } = words.providers;
  const same = algorithms.map((one) => ({ value: one, text: one }));
  return html`<${Field} as="select" label=${method} name="tokenAuthMethod" problem=${problem}>
      <${Options} options=${[{ value: "", text: byMetadata }, ...optionsOf(methods)]} chosen=${tokenAuthMethod ?? ""} />
    <//>
    ${
      provider?.kind !== "oauth2" &&
      html`<${Field}
      as="select"
      label=${algorithm}
      hint=${algorithmHint}
      name="idTokenAlgorithm"
      problem=${problem}
    >
      <${Options} options=${[{ value: "", text: anyAlgorithm }, ...same]} chosen=${idTokenAlgorithm ?? ""} />
    <//>`
    }`;
}
