import { permissionDrift, type PermissionDrift } from "../drift.ts";
import { entryKey, type PermissionOp, permissionOps } from "../permission-ops.ts";
import type { ServerState, StoredRow } from "./read-permissions.ts";

const nothing: PermissionDrift = { extra: [], missing: [] };

/** How what a server said that it has differs from what was pushed to it before it said so. */
export function driftOf({ rows, inventory }: ServerState): PermissionDrift {
  if (!inventory) return nothing;
  const drift = permissionDrift(rows, inventory);
  const later = new Set(rows.filter((row) => isLater(row, inventory)).map(entryKey));
  return {
    extra: drift.extra.filter((entry) => !later.has(entryKey(entry))),
    missing: drift.missing.filter((entry) => !later.has(entryKey(entry))),
  };
}

const isLater = ({ at }: StoredRow, { toldAt }: { readonly toldAt: Date }): boolean => at >= toldAt;

/** What a server is to be told now; what was pushed and has gone from it since is pushed again. */
export function opsOf(state: ServerState): PermissionOp[] {
  const missing = new Set(driftOf(state).missing.map(entryKey));
  const rows = state.rows.map((row) =>
    missing.has(entryKey(row)) ? { ...row, state: "failed" as const } : row,
  );
  return permissionOps(state.wanted, rows);
}
