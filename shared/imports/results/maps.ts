import type { ImportResult, ImportStatus } from "./codes.ts";

export interface MapResult extends ImportResult {
  readonly status: ImportStatus<"map">;
  readonly hash: string | null;
}

export const blankMapResult = {
  reason: null,
  code: null,
  hash: null,
} as const satisfies Omit<MapResult, "status">;

export interface MapRenderResult extends ImportResult {
  readonly status: ImportStatus<"map-render">;
  readonly scale: number | null;
}

export const blankMapRender = {
  reason: null,
  code: null,
  scale: null,
} as const satisfies Omit<MapRenderResult, "status">;
