import type { Context } from "../../context.ts";
import { AppError, invalidFields } from "../../errors.ts";
import type { ShardOrder } from "../../shard/staff/commands.ts";
import { jsonFault } from "./config-json.ts";
import { restoreSecrets } from "./config-secrets.ts";
import { isTooLarge } from "./plugin-file.ts";
import { type ConfigsOf, type CurrentFile, readCurrent, refuseUneditable } from "./read-files.ts";
import { changedSince, repeatedWrite, requestOf, submitWrite } from "./submit-write.ts";
import type { AcceptedWrite } from "./write-rows.ts";

export interface ConfigChange {
  readonly text: string;
  /** Of the file as it was read. */
  readonly baseHash: string;
  readonly reload: boolean;
}

/**
 * Has the game server write a plugin's configuration and load it. Masks stand for the secrets that
 * are in the file.
 * @throws AppError for what is not written: then nothing has happened
 */
export async function writeFile(
  { plugin, text, baseHash, reload }: ConfigChange & { readonly plugin: string },
  of: ConfigsOf,
  order: ShardOrder,
  context: Context,
): Promise<AcceptedWrite> {
  refuseText(text);
  const asked = [of.server.id, plugin, text, baseHash, reload];
  const request = requestOf(asked, order);
  const repeated = await repeatedWrite(request, context);
  if (repeated) return repeated;
  const current = await readCurrent(plugin, of, context);
  if (current.hash !== baseHash) throw changedSince(current.hash);
  const restored = restore(text, current);
  return submitWrite(
    { of, current, text: restored, reload, rollbackOf: null, request },
    order,
    context,
  );
}

/** Broken JSON would make many a plugin write its defaults over the file. */
function refuseText(text: string): void {
  if (isTooLarge(text)) throw tooLarge();
  const fault = jsonFault(text);
  if (!fault) return;
  const { line, column, message } = fault;
  const words = `The text is no JSON that a plugin could read: ${message} (line ${line}, column ${column})`;
  throw new AppError("config_not_json", words, { extra: { line, column } });
}

const tooLarge = (): AppError =>
  new AppError("body_too_large", "A configuration has at most 1 MiB in UTF-8");

/** The text with the secrets of the file; a mask that stands for none of them may not be written. */
function restore(text: string, current: CurrentFile): string {
  refuseUneditable(current);
  const restored = restoreSecrets(text, current.text);
  if ("fault" in restored) throw tooLarge();
  if (restored.unresolved.length > 0) {
    const places = restored.unresolved.slice(0, shownMasks);
    throw invalidFields(
      places.map((place) => ({
        path: "text",
        message: `the mask at ${place} stands for no secret of the file`,
      })),
    );
  }
  if (isTooLarge(restored.text)) throw tooLarge();
  return restored.text;
}

const shownMasks = 20;
