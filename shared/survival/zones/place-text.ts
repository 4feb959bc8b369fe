import type { ZonePlace } from "../../../models/survival/survival-zone-lease.ts";

const number = String.raw`(-?\d{1,6}(?:\.\d{1,6})?)`;
const point = new RegExp(`^\\s*${number}[\\s,]+${number}[\\s,]+${number}\\s*$`);

/** A place as a step of an event writes it: a point as `x y z`, or the label of a monument. */
export function placeOf(text: string): ZonePlace {
  const found = point.exec(text);
  if (!found) return { monument: text.trim() };
  const [x = 0, y = 0, z = 0] = found.slice(1).map(Number);
  return { x, y, z };
}
