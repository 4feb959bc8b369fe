import { setQuery } from "../../shell/router.ts";

/** Returns a listener that writes a field's value into the query and returns to the first page of the list. */
export const setFilter =
  (name: string) =>
  (event: Event): void =>
    setQuery({ [name]: (event.currentTarget as HTMLInputElement).value, offset: "" });
