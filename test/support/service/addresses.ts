/**
 * The URL of the first server with a database, by the URL of the database. Simulated plugins call
 * it.
 */
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
