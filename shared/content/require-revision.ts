import { AppError } from "../errors.ts";

/**
 * Asks that a change begins from what is stored, so that nobody's text is lost. Without a revision
 * the last writer wins.
 * @throws AppError conflict
 */
export function requireRevision(based: number | undefined, stored: number): void {
  if (based === undefined || based === stored) return;
  throw new AppError(
    "stale_revision",
    `The change is based on revision ${based}, and ${stored} is the newest`,
  );
}
