/** Whether an address is one of the machine on which the demo runs. */
export const isOnThisMachine = (url: string): boolean =>
  ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
