/** The web app's addresses, for feeds, links and calendars. */
export const webAppUrls = {
  post: (slug: string, base: string): string => `${base}/news/${slug}`,
  event: (slug: string, base: string): string => `${base}/events/${slug}`,
  run: ({ slug, runId }: { readonly slug: string; readonly runId: number }, base: string): string =>
    `${webAppUrls.event(slug, base)}?run=${runId}`,
} as const;
