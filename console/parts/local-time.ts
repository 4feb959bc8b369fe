/** Returns an instant as the value of a field `datetime-local`, in the person's time zone. Empty for null. */
export function toLocalTime(instant: string | null): string {
  if (instant === null) return "";
  const time = new Date(instant);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Returns the instant that was typed into a field `datetime-local`; null if the field is empty. */
export const fromLocalTime = (value: string): string | null =>
  value === "" ? null : new Date(value).toISOString();
