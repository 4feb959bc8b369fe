export const serialText = (serial: number): string =>
  `0x${serial.toString(16).toUpperCase().padStart(8, "0")}`;

/** Hands out serials as the game does: mobiles from below 0x40000000, items from there on. */
export interface Serials {
  readonly mobile: () => string;
  readonly item: () => string;
}

export function createSerials(): Serials {
  let mobile = 0x0000a001;
  let item = 0x40001a2b;
  return {
    mobile: () => serialText(mobile++),
    item: () => serialText(item++),
  };
}
