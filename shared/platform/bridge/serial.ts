import Joi from "joi";

const serialForm = /^0x([0-9a-f]{1,8})$/i;

/** A pattern that matches both cases without a flag, for the API description. */
export const serialPattern = "^0[xX][0-9A-Fa-f]{1,8}$";

/** Serials are positive signed 32-bit numbers. 0 and larger numbers mean "none". */
const highestSerial = 0x7fff_ffff;

/** Returns the canonical serial, `0x` and eight upper-case hex digits; undefined if invalid. */
export function parseSerial(text: string): string | undefined {
  const digits = serialForm.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const number = Number.parseInt(digits, 16);
  if (number < 1 || number > highestSerial) return undefined;
  return formatSerial(number);
}

/** Returns the number of a canonical serial. */
export const parseSerialNumber = (text: string): number => Number.parseInt(text.slice(2), 16);

export const formatSerial = (number: number): string =>
  `0x${number.toString(16).toUpperCase().padStart(8, "0")}`;

/** A serial of one to eight digits in any case; its output is the canonical form. */
export const serialField = (): Joi.StringSchema =>
  Joi.string()
    .custom((text: string, helpers) => parseSerial(text) ?? helpers.error("serial"), "serial")
    .messages({
      serial: "{{#label}} must be a serial such as 0x40001A2B",
    });
