const hosts = ["127.0.0.1", "localhost", "[::1]", "::1"];

/** Whether an address is one of the machine on which the demo runs. */
export const isOnThisMachine = (url: string): boolean => isThisMachine(new URL(url).hostname);

/** Whether a host is the machine on which the demo runs. */
export const isThisMachine = (host: string): boolean => hosts.includes(host);
