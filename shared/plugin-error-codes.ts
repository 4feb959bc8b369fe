import type { CodeSpec } from "./code-spec.ts";
import type { ErrorKind } from "./error-kinds.ts";

/** The part of the catalog of error codes for the calls of plugins. */
export const pluginErrorCodes = {
  plugin_key_ended: {
    kind: "unauthenticated",
    meaning: "The plugin's key was revoked or replaced: create a new key on the site.",
  },
  plugin_key_unknown: {
    kind: "unauthenticated",
    meaning:
      "The plugin's key is missing or unknown: type the `command` that the site returned with " +
      "the key on the game server.",
  },
  plugin_disabled: {
    kind: "forbidden",
    meaning:
      "The link is off, or its `kind` is not `plugin`. The plugin tries again once a minute.",
  },
  plugin_protocol: {
    kind: "conflict",
    meaning:
      "The site does not support the plugin's version of the protocol: update the plugin or the " +
      "site.",
  },
  plugin_superseded: {
    kind: "conflict",
    meaning:
      "Another game process has taken over the link. The plugin must stop until its game restarts.",
  },
  plugin_hello_required: {
    kind: "conflict",
    meaning: "The plugin must first call `POST /plugin/hello`.",
  },
  plugin_epoch: {
    kind: "conflict",
    meaning:
      "`epoch` is not the epoch of the plugin's last hello, or the site has stored events of " +
      "this epoch that the plugin no longer knows.",
  },
  plugin_sequence: {
    kind: "conflict",
    meaning:
      "Events are missing before the first event of the call, or the events are not in order. " +
      "`expected` is the `seq` that must come next.",
  },
  plugin_answered: {
    kind: "conflict",
    meaning: "The site has already stored another outcome of the command.",
  },
  plugin_limit: {
    kind: "limited",
    meaning: "The plugin makes too many calls at the same time or within a second.",
  },
  plugin_backlog: {
    kind: "unavailable",
    meaning:
      "Too many events of the plugin wait to be stored: send the events again after " +
      "`Retry-After` seconds.",
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
