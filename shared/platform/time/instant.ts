import Joi from "joi";

export const instantPattern =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns true for a time with an offset, in a year of four digits. */
export const isInstant = (text: string): boolean =>
  instantPattern.test(text) && !endsDay(text) && isWritable(Date.parse(text)) && dayExists(text);

/** True for 24:00, which some programs read as the end of a day and others refuse. */
const endsDay = (text: string): boolean => text.slice(11, 13) === "24";

const [earliest, latest] = [Date.parse("0001-01-01T00:00:00Z"), Date.UTC(10_000, 0) - 1];

/** True if the year has four digits: the API and the database write other years differently. */
const isWritable = (time: number): boolean => time >= earliest && time <= latest;

/** Returns false for a day such as April 31, which JavaScript parses as May 1. */
function dayExists(text: string): boolean {
  const day = text.slice(0, 10);
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.valueOf()) && read.toISOString().startsWith(day);
}

/** Validates a field. Its text stays unchanged. */
export const checkInstant: Joi.CustomValidator<string> = (text, helpers) =>
  isInstant(text) ? text : helpers.error("string.isoDate");

export const instantField = Joi.string()
  .max(40)
  .custom(checkInstant)
  .messages({ "string.isoDate": "{{#label}} must be an instant with Z or an offset" });
