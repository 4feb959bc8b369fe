import type { SurvivalContext } from "../survival/context.ts";

interface ExportPartBase {
  /** The columns in which the export looks for the user, or for the user's game or Steam account. */
  readonly columns: readonly `${string}.${string}`[];
  readonly kind: "whole" | "list" | "pages";
}

/** One part of a user's data export. Large parts are read in pages. */
export type ExportPart = ExportPartBase &
  (
    | { readonly kind: "whole"; readonly read: Reader<Promise<object>> }
    | { readonly kind: "list"; readonly read: Reader<Promise<readonly object[]>> }
    | { readonly kind: "pages"; readonly read: Reader<AsyncIterable<readonly object[]>> }
  );

type Reader<Read> = (userId: number, context: SurvivalContext) => Read;
