import type { ErrorCodeSpec, ErrorKind } from "./error-kinds.ts";

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
} as const satisfies Record<string, ErrorCodeSpec>;

/** CATALOGUE of plugin error codes by the site's codes. Other errors use the code of their kind. */
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

export type PluginCode =
  | (typeof pluginCodes)[keyof typeof pluginCodes]
  | (typeof codesOfKinds)[keyof typeof codesOfKinds]
  | "FAILED";

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

/** Returns the kinds of errors for which a plugin receives this code. */
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
  readonly next: string;
}

const helloNext = "Call `POST /hello`, and continue as its answer says.";

/** CATALOGUE of the codes for developers of plugins. */
export const pluginCodeDocs: Readonly<Record<PluginCode, PluginCodeDocs>> = {
  UNAUTHORIZED: {
    means: "The plugin key is missing or unknown, or it was revoked or replaced.",
    next:
      "Call `POST /hello` once a minute. Tell the owner to create a new key on the site and to " +
      "enter its setup command.",
  },
  DISABLED: {
    means: "The link of the game server is off, or it is not a link of the kind `plugin`.",
    next: "Call `POST /hello` once a minute.",
  },
  PROTOCOL: {
    means:
      "The site does not support the plugin's protocol version. It supports the versions from " +
      "`min` to `max`.",
    next: "Call `POST /hello` once a minute. Tell the owner to update the plugin or the site.",
  },
  SUPERSEDED: {
    means:
      "After this game process, another one has called `POST /hello` for the same game server.",
    next:
      "Make no more calls until the game restarts. Tell the owner that two game servers may use " +
      "the same plugin key.",
  },
  HELLO: {
    means: "`bootId` is not that of the last `POST /hello`, or there was none yet.",
    next: helloNext,
  },
  EPOCH: {
    means:
      "After `POST /hello`: the site has stored events of this epoch that are newer than `head`. " +
      "After `POST /events`: `epoch` is not that of the last `POST /hello`.",
    next:
      "After `POST /hello`: create a new epoch, and call `POST /hello` again. After `POST " +
      "/events`: call `POST /hello`.",
  },
  SEQUENCE: {
    means:
      "Events are missing before the first event of the call, or the events are not in order. " +
      "`expected` is the `seq` that must come next.",
    next: "Call `POST /hello`, and continue with the event after `cursor` of its answer.",
  },
  ANSWERED: {
    means: "The site has already stored a different outcome of this command.",
    next: "Delete the outcome, and call `POST /hello`.",
  },
  NOT_FOUND: {
    means:
      "The site does not know the command, or it has withdrawn the command. It withdraws a read " +
      "as soon as nobody waits for the answer.",
    next: "Delete the outcome.",
  },
  INVALID: {
    means: "The call is invalid. If a field is the cause, `field` names it.",
    next:
      "Log the refusal. The site would refuse the same call again: correct the call, or repeat " +
      "it at most once a minute.",
  },
  TOO_LARGE: {
    means: "The body is too large, the call contains too many events, or a file is too large.",
    next: "For `POST /events`: send fewer events in a call. For an outcome: delete it.",
  },
  LIMIT: {
    means: "Too many calls with this plugin key are in progress, or began within one second.",
    next: "Send the same call again after `Retry-After` seconds.",
  },
  BUSY: {
    means:
      "Too many events of this game server wait to be processed, or the site is temporarily " +
      "unavailable.",
    next: "Send the same call again after `Retry-After` seconds.",
  },
  FORBIDDEN: {
    means: "The site temporarily refuses all calls from this IP address.",
    next: "Call `POST /hello` once a minute.",
  },
  CONFLICT: { means: "The call conflicts with the state of the site.", next: helloNext },
  FAILED: {
    means: "The site failed because of an internal error.",
    next: "Send the same call again after a pause, as if the site could not be reached.",
  },
};

const codesOfEvery = [
  "UNAUTHORIZED",
  "DISABLED",
  "FORBIDDEN",
  "INVALID",
  "LIMIT",
  "BUSY",
  "FAILED",
] as const;

/** CATALOGUE of the error codes of each call of a plugin, by path. */
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
