import Joi from "joi";

/** How ISO 8601 writes a moment with its zone. */
export const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a text is a moment that does not depend on where one is, in a year of four digits. */
export const isInstant = (text: string): boolean =>
  instantForm.test(text) && !endsDay(text) && isWritable(Date.parse(text)) && dayExists(text);

/** 24:00 is the day's end to some programs, and refused by others. */
const endsDay = (text: string): boolean => text.slice(11, 13) === "24";

const [earliest, latest] = [Date.parse("0001-01-01T00:00:00Z"), Date.UTC(10_000, 0) - 1];

/** Neither the API nor the database writes others as it does these. */
const isWritable = (time: number): boolean => time >= earliest && time <= latest;

/** The platform takes the 31st of April for the 1st of May. */
function dayExists(text: string): boolean {
  const day = text.slice(0, 10);
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.valueOf()) && read.toISOString().startsWith(day);
}

/** The rule for fields, which stay the text that they are. */
export const checkInstant: Joi.CustomValidator<string> = (text, helpers) =>
  isInstant(text) ? text : helpers.error("string.isoDate");

export const instantField = Joi.string()
  .max(40)
  .custom(checkInstant)
  .messages({ "string.isoDate": "{{#label}} must be an instant with Z or an offset" });
