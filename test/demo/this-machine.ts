const hosts = ["127.0.0.1", "localhost", "[::1]", "::1"];

/** Returns true if the URL leads to the machine on which the demo runs. */
export const isOnThisMachine = (url: string): boolean => isThisMachine(new URL(url).hostname);

export const isThisMachine = (host: string): boolean => hosts.includes(host);
