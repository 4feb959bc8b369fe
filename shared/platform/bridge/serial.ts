import Joi from "joi";

const serialForm = /^0x([0-9a-f]{1,8})$/i;

/** The same without a flag, for the API description. */
export const serialPattern = "^0[xX][0-9A-Fa-f]{1,8}$";

/** The game's serials are signed 32-bit numbers; zero and what lies above stand for "none". */
const highestSerial = 0x7fff_ffff;

/** The one spelling of a serial, `0x` and eight upper-case hex digits; undefined when it is none. */
export function parseSerial(text: string): string | undefined {
  const digits = serialForm.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const number = Number.parseInt(digits, 16);
  if (number < 1 || number > highestSerial) return undefined;
  return serialText(number);
}

/** A serial in its one spelling as the number it stands for. */
export const serialNumber = (text: string): number => Number.parseInt(text.slice(2), 16);

export const serialText = (number: number): string =>
  `0x${number.toString(16).toUpperCase().padStart(8, "0")}`;

/** A serial in any case with one to eight digits; what it gives is in the one spelling. */
export const serial = (): Joi.StringSchema =>
  Joi.string()
    .custom((text: string, helpers) => parseSerial(text) ?? helpers.error("serial"), "serial")
    .messages({
      serial: "{{#label}} must be a serial such as 0x40001A2B",
    });
