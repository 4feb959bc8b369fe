/** A serial in its one spelling as the number it stands for. */
export const serialNumber = (serial: string): number => Number.parseInt(serial.slice(2), 16);

export const serialText = (number: number): string =>
  `0x${number.toString(16).toUpperCase().padStart(8, "0")}`;
