import { AppError } from "../errors/errors.ts";

export const refuseDisabled = (): AppError =>
  new AppError(
    "plugin_disabled",
    "The link is disabled on the site, or is not set to the kind plugin",
  );

export const requireHello = (): AppError =>
  new AppError("plugin_hello_required", "Say hello first");

/** @throws AppError plugin_superseded for a game process that another one has followed */
export function refuseFormerBoot(
  bootId: string,
  formerBoots: Readonly<Record<string, number>>,
): void {
  const until = Object.hasOwn(formerBoots, bootId) ? (formerBoots[bootId] ?? 0) : 0;
  if (until <= Date.now()) return;
  throw new AppError(
    "plugin_superseded",
    "Another game process uses this link now: two servers may have the same key",
  );
}
