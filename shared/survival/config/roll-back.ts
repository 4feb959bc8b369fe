import type { SurvivalConfigWrite } from "../../../models/survival/survival-config-write.ts";
import type { Context } from "../../platform/context.ts";
import type { ShardOrder } from "../../shard/staff/commands.ts";
import type { SurvivalContext } from "../context.ts";
import { openBefore } from "./config-seals.ts";
import { type ConfigsOf, readCurrent } from "./read-files.ts";
import { changedSince, repeatedWrite, requestOf, submitWrite, writeState } from "./submit-write.ts";
import { type AcceptedWrite, readWrite } from "./write-rows.ts";

/**
 * Writes what stood in the file before a write, where it is still as that write left it.
 * @throws AppError for what cannot be taken back: then nothing has happened
 */
export async function rollBack(
  writeId: string,
  of: ConfigsOf,
  order: ShardOrder,
  context: SurvivalContext,
): Promise<AcceptedWrite> {
  const write = await readWrite(of.server.id, writeId, context);
  const request = requestOf([of.server.id, "rollback", writeId], order);
  const repeated = await repeatedWrite(request, context);
  if (repeated) return repeated;
  if (write.state === "reloading") throw writeState("The write waits for what its plugin tells");
  const before = await readBefore(writeId, context);
  if (before === undefined) throw writeState("What stood in the file before is kept no longer");
  const current = await readCurrent(write.plugin, of, context);
  if (current.hash === write.beforeHash) {
    throw writeState("The file is as it was before the write", current.hash);
  }
  if (!leftBehind(write).includes(current.hash)) throw changedSince(current.hash);
  return submitWrite(
    { of, current, text: before, reload: true, rollbackOf: writeId, request },
    order,
    context,
  );
}

/** Of a lost one it is not known whether its plugin has written the file anew. */
const leftBehind = ({
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
  return openBefore(writeId, kept?.beforeSealed ?? null, config.SECRETS_KEYS);
}
