import type { SurvivalConfigWrite } from "../../../models/survival/survival-config-write.ts";
import type { Context } from "../../platform/context.ts";
import { AppError, invalidFieldsError } from "../../platform/errors/errors.ts";
import type { CommandRequest } from "../../shard/staff/commands.ts";
import type { SurvivalContext } from "../context.ts";
import { readConfigParts } from "./config-parts.ts";
import { unsealPreviousContent } from "./config-seals.ts";
import {
  isConfigTooLarge,
  type ConfigRequest,
  type ConfigFile,
  readConfigFile,
  requireEditableConfig,
} from "./plugin-files.ts";
import { restoreSecrets } from "./restore-secrets.ts";
import {
  changedFileError,
  findRepeatedWrite,
  createWriteRequest,
  submitConfigWrite,
  configWriteStateError,
} from "./submit-write.ts";
import { type AcceptedConfigWrite, readConfigWrite } from "./write-rows.ts";

export interface ConfigChange {
  readonly text: string;
  /** Hash of the file when the client read it. */
  readonly baseHash: string;
  readonly reload: boolean;
}

/** Writes a configuration with masks for secrets, and reloads it. @throws AppError if not written */
export async function writeConfigFile(
  { plugin, text, baseHash, reload }: ConfigChange & { readonly plugin: string },
  of: ConfigRequest,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<AcceptedConfigWrite> {
  refuseText(text);
  const asked = [of.server.id, plugin, text, baseHash, reload];
  const request = createWriteRequest(asked, order);
  const repeated = await findRepeatedWrite(request, context);
  if (repeated) return repeated;
  const current = await readConfigFile(plugin, of, context);
  if (current.hash !== baseHash) throw changedFileError(current.hash);
  const restored = restoreMaskedText(text, current);
  return submitConfigWrite(
    { of, current, text: restored, reload, rollbackOf: null, request },
    order,
    context,
  );
}

/** Refuse invalid JSON: many plugins would overwrite the file with their defaults. */
function refuseText(text: string): void {
  if (isConfigTooLarge(text)) throw tooLargeError();
  const read = readConfigParts(text);
  if (!("fault" in read)) {
    if (read.doubled) throw duplicateKeyError(read.doubled.pointer);
    return;
  }
  const { line, column, message } = read.fault;
  const words = `The text is not JSON that a plugin can read: ${message} (line ${line}, column ${column})`;
  throw new AppError("config_not_json", words, { extra: { line, column } });
}

/**
 * Refuses a duplicate key, because it is unknown which value the plugin uses and which value a mask stands for.
 */
const duplicateKeyError = (pointer: string): AppError =>
  invalidFieldsError([{ path: "text", message: `the key at ${pointer} occurs twice` }]);

const tooLargeError = (): AppError =>
  new AppError("body_too_large", "A configuration has at most 1 MiB in UTF-8");

/** Replaces the masks with the secrets of the file. Refuses a mask that stands for no secret. */
function restoreMaskedText(text: string, current: ConfigFile): string {
  requireEditableConfig(current);
  const restored = restoreSecrets(text, current.text);
  if ("fault" in restored) throw tooLargeError();
  if ("doubled" in restored) throw duplicateKeyError(restored.doubled);
  if ("exposed" in restored) {
    throw maskFaults(restored.exposed, "stands for a secret that would be visible there");
  }
  if (restored.unresolved.length > 0) {
    throw maskFaults(restored.unresolved, "does not stand for a secret of the file");
  }
  if (isConfigTooLarge(restored.text)) throw tooLargeError();
  return restored.text;
}

const maskFaults = (places: readonly string[], message: string): AppError =>
  invalidFieldsError(
    places
      .slice(0, shownMasks)
      .map((place) => ({ path: "text", message: `the mask at ${place} ${message}` })),
  );

const shownMasks = 20;

/**
 * Restores the text of a file from before a write, unless the file has changed since the write.
 * @throws AppError if not written
 */
export async function rollBackConfigWrite(
  writeId: string,
  of: ConfigRequest,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<AcceptedConfigWrite> {
  const write = await readConfigWrite(of.server.id, writeId, context);
  const request = createWriteRequest([of.server.id, "rollback", writeId], order);
  const repeated = await findRepeatedWrite(request, context);
  if (repeated) return repeated;
  if (write.state === "reloading") {
    throw configWriteStateError("The result of the write is still pending");
  }
  const before = await readBefore(writeId, context);
  if (before === undefined) {
    throw configWriteStateError(
      "The site no longer stores the contents of the file before the write",
    );
  }
  const current = await readConfigFile(write.plugin, of, context);
  if (current.hash === write.beforeHash) {
    throw configWriteStateError(
      "The file already has the contents from before the write",
      current.hash,
    );
  }
  if (!hashesAfterWrite(write).includes(current.hash)) throw changedFileError(current.hash);
  return submitConfigWrite(
    { of, current, text: before, reload: true, rollbackOf: writeId, request },
    order,
    context,
  );
}

/**
 * Returns the hashes that the file may have. After a lost write it is unknown if the plugin has rewritten the
 * file.
 */
const hashesAfterWrite = ({
  afterHash,
  writtenHash,
}: Pick<SurvivalConfigWrite, "afterHash" | "writtenHash">): string[] => [afterHash ?? writtenHash];

async function readBefore(
  writeId: string,
  { models, config }: Pick<Context, "models" | "config">,
): Promise<string | undefined> {
  const kept = await models.SurvivalConfigWrite.findOne({
    where: { writeId },
    attributes: ["beforeSealed"],
    raw: true,
  });
  return unsealPreviousContent(writeId, kept?.beforeSealed ?? null, config.SECRETS_KEYS);
}
