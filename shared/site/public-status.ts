import type { Context } from "../context.ts";
import { readSiteMode, type SiteMode } from "../settings/site-mode.ts";
import { readShardStatus } from "../shard/public/status.ts";
import { version } from "../version.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     PublicStatus:
 *       type: object
 *       additionalProperties: false
 *       required: [site_mode, status_message, changed_at, version, capabilities, shard, time]
 *       properties:
 *         site_mode: { $ref: '#/components/schemas/SiteMode' }
 *         status_message: { type: string, nullable: true }
 *         changed_at: { type: string, format: date-time, nullable: true }
 *         version: { type: string }
 *         capabilities: { type: array, items: { type: string } }
 *         shard:
 *           type: object
 *           additionalProperties: false
 *           required: [enabled, status]
 *           properties:
 *             enabled: { type: boolean }
 *             status: { $ref: '#/components/schemas/LinkStatus' }
 *         time: { type: string, format: date-time }
 */
export interface PublicStatus extends SiteMode {
  readonly version: string;
  /** What this release can do, as words: clients ask for the word, not for the version. */
  readonly capabilities: readonly string[];
  readonly shard: { readonly enabled: boolean; readonly status: string };
  readonly time: Date;
}

const capabilities: readonly string[] = [];

/** How the site and the shard's link stand, from our own tables. */
export async function readPublicStatus({ models, sequelize }: Context): Promise<PublicStatus> {
  const [mode, { enabled, status }] = await Promise.all([
    readSiteMode({ models }),
    readShardStatus(sequelize),
  ]);
  return { ...mode, version, capabilities, shard: { enabled, status }, time: new Date() };
}
