import type { ClilocResult } from "../../imports/results/clilocs.ts";
import type { Imported } from "../../imports/sources/imported-source.ts";
import type { LoadedClilocs } from "./apply.ts";

/** What a refresh begins with. */
export interface Refreshing {
  readonly imported: Imported<LoadedClilocs> | null;
  /** Takes what is learned of the source, so that a fault can tell it too. */
  readonly learned: { -readonly [Name in keyof ClilocResult]?: ClilocResult[Name] };
}

/** The result while the source holds what is loaded. */
export const unchangedOf = ({
  loaded,
}: Imported<LoadedClilocs>): Pick<ClilocResult, "status" | "count" | "sources"> => ({
  status: "unchanged",
  count: loaded.count,
  sources: loaded.sources,
});
