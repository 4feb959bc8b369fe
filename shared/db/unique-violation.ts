/** Whether the database refused a row because another one has its key already. */
export const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: unknown } | null | undefined)?.code === uniqueViolation;

/** SQLSTATE. */
const uniqueViolation = "23505";
