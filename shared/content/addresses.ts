/** Where the web app shows things, as feeds, links and calendars name them. */
export const addresses = {
  post: (slug: string, base: string): string => `${base}/news/${slug}`,
  event: (slug: string, base: string): string => `${base}/events/${slug}`,
  run: ({ slug, runId }: { readonly slug: string; readonly runId: number }, base: string): string =>
    `${addresses.event(slug, base)}?run=${runId}`,
} as const;
