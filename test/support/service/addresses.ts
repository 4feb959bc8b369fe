/**
 * For each database URL, the URL of the first server that uses the database. Simulated plugins call that server.
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
