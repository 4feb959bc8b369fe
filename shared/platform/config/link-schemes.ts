/** Schemes that links in texts may have in every configuration. */
export const standardLinkSchemes = [
  "http",
  "https",
  "mailto",
  "tel",
  "steam",
  "discord",
  "ts3server",
  "mumble",
] as const;

/**
 * Schemes that no link may have, even if configured: a browser runs the content, reads it from the visitor's
 * machine, or opens another address that the link contains. Names that end in `script` are also forbidden.
 */
const forbiddenLinkSchemes: readonly string[] = [
  "about",
  "blob",
  "data",
  "feed",
  "file",
  "filesystem",
  "jar",
  "mhtml",
  "mocha",
  "view-source",
];

export const schemePattern = /^[a-z][a-z\d+.-]{0,31}$/;

/** @param scheme in lower case, without the colon */
export const isForbiddenScheme = (scheme: string): boolean =>
  forbiddenLinkSchemes.includes(scheme) || scheme.endsWith("script");

/** @param added the schemes of `CONTENT_LINK_SCHEMES` */
export const linkSchemes = (added: readonly string[]): readonly string[] => [
  ...new Set([...standardLinkSchemes, ...added.filter((scheme) => !isForbiddenScheme(scheme))]),
];
