import type { SurvivalContext } from "../survival/context.ts";

interface OwnPart {
  /** Columns by which its rows name their user, or a game account or Steam account of theirs. */
  readonly columns: readonly `${string}.${string}`[];
  readonly kind: "whole" | "list" | "pages";
}

/** A part of what is stored about a user; what may be large is read page by page. */
export type Part = OwnPart &
  (
    | { readonly kind: "whole"; readonly read: Reader<Promise<object>> }
    | { readonly kind: "list"; readonly read: Reader<Promise<readonly object[]>> }
    | { readonly kind: "pages"; readonly read: Reader<AsyncIterable<readonly object[]>> }
  );

type Reader<Read> = (userId: number, context: SurvivalContext) => Read;
