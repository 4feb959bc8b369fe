import Joi from "joi";

import { declareCommand, declareRead } from "../../platform/bridge/calls/call.ts";
import {
  field,
  flag,
  largeCount,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";

interface OfPlugin {
  readonly params: { readonly plugin: string };
}

const plugin = "Name of the plugin.";
const textOfFile = field(Joi.string().allow(""), "Text of the file.");
const hash = field(text(128), "SHA-256 of the file's bytes, in hexadecimal.");
const hashBefore = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const file = objectSchema({
  plugin: field(text(128), plugin),
  file: field(text(512), "Path of the file on the game server."),
  loaded: field(flag(), "Whether the game has loaded the plugin."),
  version: field(nullish(text(64)), "Version of the plugin."),
  bytes: field(largeCount(), "Size of the file in bytes."),
  hash,
  modifiedAt: field(
    nullish(largeCount()),
    "When the file was last changed, in epoch milliseconds.",
  ),
  editable: field(nullish(flag()), "Whether the site may write the file."),
  problem: field(
    nullish(text(64)),
    "Why the site may not write the file: `too-large`, `unreadable` or `protected`. Null if it " +
      "may.",
  ),
});

export const listConfigsCall = declareRead({
  method: "GET",
  path: "/v1/config",
  answer: objectSchema({
    files: field(listOf(file), "Configuration files of the game's plugins."),
  }),
  docs: {
    about: "Return a list of the configuration files of the game's plugins.",
    example: {
      answer: {
        files: [
          {
            plugin: "Kits",
            file: "oxide/config/Kits.json",
            loaded: true,
            version: "4.0.12",
            bytes: 2_214,
            hash: hashBefore,
            modifiedAt: 1_764_158_400_000,
            editable: true,
            problem: null,
          },
        ],
      },
    },
  },
});

export const readConfigCall = declareRead<
  { readonly text: string; readonly hash: string },
  OfPlugin
>({
  method: "GET",
  path: "/v1/config/:plugin",
  answer: objectSchema({ text: textOfFile, hash }),
  docs: {
    about: "Return the configuration file of a plugin.",
    params: { plugin },
    codes: ["NOT_FOUND"],
    example: {
      params: { plugin: "Kits" },
      answer: { text: '{ "Wipe kits": true }', hash: hashBefore },
    },
  },
});

interface ConfigText {
  readonly writeId: string;
  readonly text: string;
  readonly baseHash: string;
  readonly reload: boolean;
  readonly rollbackOnFailure: boolean;
}

/** Writes a configuration and reloads its plugin. The frame `config.outcome` reports the result. */
export const writeConfigCall = declareCommand<object, OfPlugin & { readonly body: ConfigText }>({
  method: "PUT",
  path: "/v1/config/:plugin",
  answer: Joi.object(),
  docs: {
    about:
      "Write the configuration file of a plugin, and have the plugin load it. Answer with status " +
      "202, and send the event `config.outcome` when the work is done. If the hash of the " +
      "present file is not `baseHash`, answer 409 `CONFLICT` and write nothing.",
    params: { plugin },
    body: objectSchema({
      writeId: field(text(64), "Id of the write. Send it back as `writeId` in `config.outcome`."),
      text: textOfFile,
      baseHash: field(
        text(128),
        "SHA-256 of the file on which the change is based, in hexadecimal.",
      ),
      reload: field(flag(), "Whether to reload the plugin after writing the file."),
      rollbackOnFailure: field(
        flag(),
        "Whether to restore the previous file if the plugin does not run with the new file.",
      ),
    }),
    codes: ["NOT_FOUND", "PROTECTED"],
    example: {
      params: { plugin: "Kits" },
      body: {
        writeId: "3f1c9a52-0a51-4a0e-8d5f-7f3f4f0f6d11",
        text: '{ "Wipe kits": false }',
        baseHash: hashBefore,
        reload: true,
        rollbackOnFailure: true,
      },
      answer: {},
    },
  },
});
