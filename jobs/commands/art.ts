import { parseArgs } from "node:util";

import { listChosenArt, pinArt, unpinArt } from "./chosen-art.ts";
import {
  requireArgument,
  runShellProgram,
  printText,
  type ShellArguments,
  type ShellProgram,
} from "./shell.ts";

const usage = `npm run art -- list
npm run art -- pin TYPE KEY
npm run art -- unpin TYPE

The atlas shows each creature by the picture of its body, or by a picture that you pin here.
TYPE is a creature of the atlas in any case, such as Orc. KEY is the key of a stored picture:
body:401, land:3, item:3922, or in a hue item:3922:1153.
list shows the pinned pictures. An import does not change them.
`;

const commands: ShellProgram<ShellArguments>["commands"] = {
  async list(_given, context) {
    for (const { type, chosen, derived, isHeld } of await listChosenArt(context)) {
      const notes = [derived && `instead of ${derived}`, !isHeld && "the site has no such picture"];
      printText(
        `${type.padEnd(24)} ${chosen.padEnd(16)} ${notes.filter(Boolean).join(", ")}`.trimEnd(),
      );
    }
  },
  async pin({ words }, context) {
    const [type, key] = [requireArgument(words[0], "TYPE"), requireArgument(words[1], "KEY")];
    await pinArt(type, key, context);
    printText(`${type} is shown by ${key}`);
  },
  async unpin({ words }, context) {
    const type = requireArgument(words[0], "TYPE");
    const derived = await unpinArt(type, context);
    printText(`${type} is shown by ${derived ?? "no picture"}`);
  },
};

await runShellProgram({ name: "art", usage, read: readArguments, commands });

function readArguments(given: string[]): ShellArguments {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { help: { type: "boolean" } },
  });
  const [command, ...words] = positionals;
  return { command, words, help: values.help };
}
