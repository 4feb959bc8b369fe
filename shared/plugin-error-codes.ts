import type { CodeSpec } from "./code-spec.ts";
import type { ErrorKind } from "./error-kinds.ts";

/** The part of the catalog of error codes for the calls of plugins. */
export const pluginErrorCodes = {
  plugin_key_ended: {
    kind: "unauthenticated",
    meaning: "The plugin's key has ended: make a new key on the site.",
  },
  plugin_key_unknown: {
    kind: "unauthenticated",
    meaning: "The plugin's key is missing or unknown: type the line that the site shows.",
  },
  plugin_disabled: {
    kind: "forbidden",
    meaning:
      "The link is disabled, or is not linked by a plugin: the plugin retries once a minute.",
  },
  plugin_protocol: {
    kind: "conflict",
    meaning: "The site does not support the plugin's protocol: update the plugin or the site.",
  },
  plugin_superseded: {
    kind: "conflict",
    meaning: "A newer game process uses the link: the plugin stops until its game restarts.",
  },
  plugin_hello_required: { kind: "conflict", meaning: "The plugin must say hello first." },
  plugin_epoch: {
    kind: "conflict",
    meaning: "The epoch is not that of the last hello, or ends before what the site has stored.",
  },
  plugin_sequence: {
    kind: "conflict",
    meaning: "Events are missing before the first one of the call, or are not in order.",
  },
  plugin_answered: {
    kind: "conflict",
    meaning: "The command has another outcome already.",
  },
  plugin_limit: {
    kind: "limited",
    meaning: "The plugin makes too many calls at once or in a second.",
  },
  plugin_backlog: {
    kind: "unavailable",
    meaning: "Too many events of the plugin wait to be stored: send them again later.",
  },
} as const satisfies Record<string, CodeSpec>;

/**
 * CATALOG of the codes that a plugin reads in a refusal's body, by the site's own codes. Other refusals
 * get the code of their kind.
 */
const pluginCodes = {
  plugin_key_ended: "UNAUTHORIZED",
  plugin_key_unknown: "UNAUTHORIZED",
  plugin_disabled: "DISABLED",
  plugin_protocol: "PROTOCOL",
  plugin_superseded: "SUPERSEDED",
  plugin_hello_required: "HELLO",
  plugin_epoch: "EPOCH",
  plugin_sequence: "SEQUENCE",
  plugin_answered: "ANSWERED",
  plugin_limit: "LIMIT",
  plugin_backlog: "BUSY",
} as const satisfies Record<keyof typeof pluginErrorCodes, string>;

const codesOfKinds: Readonly<Partial<Record<ErrorKind, string>>> = {
  invalid: "INVALID",
  wrongType: "INVALID",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  missing: "NOT_FOUND",
  conflict: "CONFLICT",
  tooLarge: "TOO_LARGE",
  limited: "LIMIT",
  unavailable: "BUSY",
};

/** The code that a plugin reads in a refusal. */
export const pluginCodeOf = ({
  errorCode,
  kind,
}: {
  readonly errorCode: string;
  readonly kind: ErrorKind;
}): string =>
  (pluginCodes as Readonly<Record<string, string>>)[errorCode] ?? codesOfKinds[kind] ?? "FAILED";
