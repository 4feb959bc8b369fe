import { QueryTypes, type Sequelize } from "sequelize";

export const siteModes = ["live", "maintenance", "closed"] as const;

export interface SiteMode {
  readonly site_mode: (typeof siteModes)[number];
  readonly status_message: string | null;
  readonly changed_at: Date | null;
}

/** How the site stands, as it was last set; a site nobody set is live. */
export async function readSiteMode(sequelize: Sequelize): Promise<SiteMode> {
  const [row] = await sequelize.query<{ value: Omit<SiteMode, "changed_at">; changed_at: Date }>(
    "select value, changed_at from settings where name = 'site_mode'",
    { type: QueryTypes.SELECT },
  );
  if (!row) return { site_mode: "live", status_message: null, changed_at: null };
  return { ...row.value, changed_at: row.changed_at };
}
