import { setQuery } from "../../shell/router.ts";

/** Returns a listener that writes the value of a field into the query, and starts the list anew. */
export const setFilter =
  (name: string) =>
  (event: Event): void =>
    setQuery({ [name]: (event.currentTarget as HTMLInputElement).value, offset: "" });
