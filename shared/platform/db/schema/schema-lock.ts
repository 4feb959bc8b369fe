/** Held by whoever changes the schema, and shared by who must see it unchanged. */
// Any fixed number will do, as long as nothing else in this database locks it.
export const schemaLock = 7_102_026;
