import { blankClilocResult, type ClilocResult } from "../../imports/results/clilocs.ts";
import { SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { type ClilocManifest, getClilocManifest, walkClilocs } from "../calls/cliloc-calls.ts";
import { openLink, readManifest, requireGood } from "../calls/link-source.ts";
import type { ShardContext } from "../context.ts";
import { applyClilocs } from "./apply.ts";
import { codeNames } from "./codes.ts";
import { MergedTexts } from "./merge.ts";
import { type Refreshing, unchangedOf } from "./refreshing.ts";

/** The one source there is over the link. */
export const shardLabel = "shard";

/** Fields that only a result over the link has, before the walk has counted anything. */
const notWalked = { pages: null, reported: null, received: null } as const;

/** Refreshes from the shard, which has the client's table with all that it lays over it. */
export async function refreshFromShard(
  { imported, learned }: Refreshing,
  run: ImportRun,
  context: ShardContext,
): Promise<ClilocResult> {
  Object.assign(learned, notWalked);
  const control = await openLink(context);
  const manifest = await readManifest(
    () => control.read(getClilocManifest, { signal: run.signal }),
    ({ sha256: hash, hashing, complete }) => ({ hash, hashing, complete }),
    codeNames,
  );
  learned.reported = manifest.entries;
  const base = {
    ...blankClilocResult,
    ...notWalked,
    source: "bridge",
    reported: manifest.entries,
  } as const;
  if (imported && imported.fingerprint === manifest.sha256 && !run.flags.force) {
    return { ...base, ...unchangedOf(imported) };
  }
  const merged = new MergedTexts();
  const take = merged.begin(shardLabel, "shard");
  const walked = await walkClilocs(
    control,
    async (entries) => {
      take(entries);
      await run.report("texts", merged.parsed, manifest.entries);
    },
    run.signal,
  );
  Object.assign(learned, { pages: walked.pages, received: walked.records });
  requireGood(walked, codeNames);
  requireSame(manifest, walked.manifest);
  const { texts, parsed, blank, sources } = merged;
  if (texts.size === 0) throw new SourceFault("EMPTY", "every text of the shard is blank");
  const tally = { pages: walked.pages, received: walked.records };
  const found = { ...base, ...tally, count: texts.size, parsed, blank, sources };
  const result: ClilocResult = {
    ...found,
    status: "imported",
    ...(run.flags.approve && { acceptedMissing: [] }),
  };
  await run.report("swap", 0);
  const fingerprint = manifest.sha256 ?? "";
  const loaded = { source: "bridge", count: texts.size, bytes: manifest.size, sources } as const;
  await applyClilocs({ texts, fingerprint, loaded, result }, run, context);
  return result;
}

function requireSame(one: ClilocManifest, other: ClilocManifest): void {
  if (one.sha256 === other.sha256) return;
  throw new SourceFault("SOURCE_CHANGED", "the source changed meanwhile");
}
