const hosts = ["127.0.0.1", "localhost", "[::1]", "::1"];

/** Returns true if a URL's host is the demo's machine. */
export const isOnThisMachine = (url: string): boolean => isThisMachine(new URL(url).hostname);

export const isThisMachine = (host: string): boolean => hosts.includes(host);
