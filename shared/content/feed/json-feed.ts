/** What the library writes of a feed: JSON Feed 1, with one author an item. */
interface OlderFeed {
  readonly items: readonly (object & { readonly author?: object })[];
}

/** The language of the site's own words, which the titles of feeds are in. */
const language = "en";

/** JSON Feed as jsonfeed.org/version/1.1 has it, made of the version before: `authors` follow `author`. */
export function toJsonFeed11(text: string): string {
  const { items, ...frame } = JSON.parse(text) as OlderFeed;
  const feed = {
    ...frame,
    version: "https://jsonfeed.org/version/1.1",
    language,
    items: items.map(({ author, ...item }) => ({ ...item, ...(author && { authors: [author] }) })),
  };
  return JSON.stringify(feed, null, 4);
}
