/** Where the first server of a database listens, by the database's URL: game servers call it there. */
const addresses = new Map<string, string>();

export function noteAddress(databaseUrl: string, url: string): void {
  if (!addresses.has(databaseUrl)) addresses.set(databaseUrl, url);
}

export function addressOf(databaseUrl: string): string {
  const url = addresses.get(databaseUrl);
  if (url === undefined) throw new Error("no server of this database was started");
  return url;
}

export const forgetAddress = (databaseUrl: string): boolean => addresses.delete(databaseUrl);
