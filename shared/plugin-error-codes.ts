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

const codesOfKinds = {
  invalid: "INVALID",
  wrongType: "INVALID",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  missing: "NOT_FOUND",
  conflict: "CONFLICT",
  tooLarge: "TOO_LARGE",
  limited: "LIMIT",
  unavailable: "BUSY",
} as const satisfies { readonly [Kind in ErrorKind]?: string };

/** A code that a plugin reads in a refusal. */
export type PluginCode =
  | (typeof pluginCodes)[keyof typeof pluginCodes]
  | (typeof codesOfKinds)[keyof typeof codesOfKinds]
  | "FAILED";

/** The code that a plugin reads in a refusal. */
export const pluginCodeOf = ({
  errorCode,
  kind,
}: {
  readonly errorCode: string;
  readonly kind: ErrorKind;
}): PluginCode =>
  (pluginCodes as { readonly [errorCode: string]: PluginCode })[errorCode] ??
  (codesOfKinds as { readonly [Kind in ErrorKind]?: PluginCode })[kind] ??
  "FAILED";

/** The kinds of errors that a plugin is told of by a code. */
export const kindsOfPluginCode = (code: PluginCode): readonly ErrorKind[] => {
  const own = Object.entries(pluginCodes).filter(([, each]) => each === code);
  const general = Object.entries(codesOfKinds).filter(([, each]) => each === code);
  return [
    ...own.map(([name]) => pluginErrorCodes[name as keyof typeof pluginErrorCodes].kind),
    ...general.map(([kind]) => kind as ErrorKind),
  ];
};

interface PluginCodeDocs {
  readonly means: string;
  /** What the plugin does next. */
  readonly next: string;
}

const helloNext = "Say hello, and go on with the answer.";

/** CATALOG of the codes for people who write a plugin. */
export const pluginCodeDocs: Readonly<Record<PluginCode, PluginCodeDocs>> = {
  UNAUTHORIZED: {
    means: "The key is missing, unknown or has ended.",
    next: "Try again once a minute. Tell the owner to make a key on the site and to type its line.",
  },
  DISABLED: {
    means: "The link is disabled on the site, or is not linked by a plugin.",
    next: "Try again once a minute.",
  },
  PROTOCOL: {
    means: "The site does not support this version of the calls. `min` and `max` name its own.",
    next: "Say hello again once a minute. Tell the owner to update the plugin or the site.",
  },
  SUPERSEDED: {
    means: "Another game process has said hello with this key after this one.",
    next: "Make no more calls until the game restarts. Two servers may have the same key.",
  },
  HELLO: { means: "The site does not know this game process.", next: helloNext },
  EPOCH: {
    means:
      "To a hello: the site has stored events of this epoch that are newer than `head`. To " +
      "events: the epoch is not the one of the last hello.",
    next: "To a hello: make a new epoch, and say hello. To events: say hello.",
  },
  SEQUENCE: {
    means: "Events are missing before the first of the call, or are not in order.",
    next: "Say hello, and go on behind its cursor. `expected` names the next event.",
  },
  ANSWERED: {
    means: "The command has another outcome already.",
    next: "Drop the outcome, and say hello.",
  },
  NOT_FOUND: {
    means: "The command is unknown, or its caller no longer waits.",
    next: "Drop the outcome.",
  },
  INVALID: {
    means: "The call breaks a rule. `field` names the field.",
    next: "Log it. The same call would be refused again: correct it, or try once a minute.",
  },
  TOO_LARGE: {
    means: "The body, the list of events or a file is too large.",
    next: "Send fewer events. Drop an outcome.",
  },
  LIMIT: {
    means: "The key makes too many calls at once or in a second.",
    next: "Send the same call again after `Retry-After` seconds.",
  },
  BUSY: {
    means: "Too many events wait to be stored, or the site cannot work now.",
    next: "Send the same call again after `Retry-After` seconds.",
  },
  FORBIDDEN: {
    means: "The site refuses all calls from this address for a time.",
    next: "Try again once a minute.",
  },
  CONFLICT: { means: "The call conflicts with the state of the site.", next: helloNext },
  FAILED: {
    means: "The site failed.",
    next: "Send the same call again after a pause, as when the site is away.",
  },
};

/** Codes that every call may be refused with. */
const codesOfEvery = [
  "UNAUTHORIZED",
  "DISABLED",
  "FORBIDDEN",
  "INVALID",
  "LIMIT",
  "BUSY",
  "FAILED",
] as const;

/** CATALOG of the codes that a call of a plugin may be refused with, by its path. */
export const codesOfPluginCalls = {
  "/hello": ["PROTOCOL", "SUPERSEDED", "EPOCH", "TOO_LARGE", ...codesOfEvery],
  "/events": ["HELLO", "SUPERSEDED", "EPOCH", "SEQUENCE", "TOO_LARGE", ...codesOfEvery],
  "/commands": ["HELLO", "SUPERSEDED", ...codesOfEvery],
  "/commands/:id": [
    "HELLO",
    "SUPERSEDED",
    "NOT_FOUND",
    "ANSWERED",
    "TOO_LARGE",
    ...codesOfEvery.filter((code) => code !== "DISABLED"),
  ],
} as const satisfies Readonly<Record<string, readonly PluginCode[]>>;
