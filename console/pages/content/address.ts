/**
 * Returns the address of the page of one object. An object with the id `new` needs another spelling, because the
 * page for a new object has this address.
 */
export const pageUrlOf = (list: string, id: string | number): string =>
  `${list}/${id === "new" ? "%6Eew" : encodeURIComponent(id)}`;
