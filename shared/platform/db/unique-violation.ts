/** Whether the database refused a row because another one has its key already. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, parent } = (error ?? {}) as { code?: unknown; parent?: { code?: unknown } };
  // Sequelize wraps what the driver says.
  return (code ?? parent?.code) === uniqueViolation;
}

/** SQLSTATE. */
const uniqueViolation = "23505";
