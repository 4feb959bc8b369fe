import Joi from "joi";

import { command, read } from "../../bridge/call.ts";
import { flag, large, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";

interface OfPlugin {
  readonly params: { readonly plugin: string };
}

export const listConfigs = read({
  method: "GET",
  path: "/v1/config",
  answer: shape({
    files: listOf(
      shape({
        plugin: text(128),
        file: text(512),
        loaded: flag(),
        version: maybe(text(64)),
        bytes: large(),
        hash: text(128),
        modifiedAt: maybe(large()),
        editable: maybe(flag()),
        problem: maybe(text(64)),
      }),
    ),
  }),
});

export const readConfig = read<{ readonly text: string; readonly hash: string }, OfPlugin>({
  method: "GET",
  path: "/v1/config/:plugin",
  answer: shape({ text: Joi.string().allow(""), hash: text(128) }),
});

interface ConfigText {
  readonly writeId: string;
  readonly text: string;
  readonly baseHash: string;
  readonly reload: boolean;
  readonly rollbackOnFailure: boolean;
}

/** Writes a file and has its plugin load it; how that went comes as `config.outcome`. */
export const writeConfig = command<object, OfPlugin & { readonly body: ConfigText }>({
  method: "PUT",
  path: "/v1/config/:plugin",
  answer: Joi.object(),
});
