/** What leads to a person outside the game: addresses, pictures, and what Steam says of an account. */
const name = String.raw`(?:(?:remote_?|ip_?)?address|ip|avatar\w*|vac\w*)`;
const isPersonal = new RegExp(`^${name}$`, "i");
const namesPersonal = new RegExp(`"${name}"`, "i");

/** Whether a text, which may be the beginning of one of JSON, names what is personal. */
export const namesPersonalFields = (text: string): boolean => namesPersonal.test(text);

/** A payload as JSON. What is personal in it is no business of the site, and is not kept. */
export function textWithoutPersonalFields(payload: object): string {
  const text = JSON.stringify(payload);
  if (!namesPersonalFields(text)) return text;
  return JSON.stringify(payload, (field, value: unknown) =>
    isPersonal.test(field) ? undefined : value,
  );
}
