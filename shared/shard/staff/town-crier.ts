import type { TownCrierEntry } from "../calls/bridge-answers.ts";
import { addTownCrierCall, listTownCrierCall, removeTownCrierCall } from "../calls/staff-calls.ts";
import type { ShardContext } from "../context.ts";
import { toIsoTime } from "../kinds/fields.ts";
import { runCommand, type CommandRequest } from "./commands.ts";

export interface NewTownCrierEntry {
  readonly lines: readonly string[];
  readonly durationSec: number;
}

export interface TownCrierEntryView {
  readonly id: string;
  readonly lines: readonly string[];
  readonly expiresAt: string | null;
}

export async function readTownCrier(
  requestId: string,
  { shard }: ShardContext,
): Promise<TownCrierEntryView[]> {
  const { entries } = await shard.call((control) => control.read(listTownCrierCall, { requestId }));
  return entries.map(viewEntry);
}

export async function addTownCrierEntry(
  body: NewTownCrierEntry,
  order: CommandRequest,
  context: ShardContext,
): Promise<TownCrierEntryView> {
  const entry = await runCommand(
    {
      action: "shard.towncrier.add",
      detail: { ...body },
      send: (control, sent) => control.command(addTownCrierCall, sent, { body }),
      noted: ({ id }) => ({ id }),
    },
    order,
    context,
  );
  return viewEntry(entry);
}

/** @throws {BridgeError} NOT_FOUND if the entry no longer exists */
export const removeTownCrierEntry = (
  id: string,
  order: CommandRequest,
  context: ShardContext,
): Promise<{ id: string; removed: boolean }> =>
  runCommand(
    {
      action: "shard.towncrier.remove",
      target: { type: "townCrierEntry", id },
      detail: {},
      send: (control, sent) => control.command(removeTownCrierCall, sent, { params: { id } }),
    },
    order,
    context,
  );

const viewEntry = ({ id, lines, expiresAt }: TownCrierEntry): TownCrierEntryView => ({
  id,
  lines,
  expiresAt: toIsoTime(expiresAt),
});
