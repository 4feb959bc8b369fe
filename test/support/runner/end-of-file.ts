const letGo = new Set<object>();

/**
 * Registers an object that is emptied when the test file ends. Node.js keeps the variables of a
 * module until the process ends, and a server takes megabytes.
 */
export const clearAtFileEnd = (held: object): void => void letGo.add(held);

/** Empties all registered objects. Called after all tests and hooks of the file. */
export function clearRegistered(): void {
  for (const held of letGo) {
    for (const name of Object.keys(held)) Reflect.deleteProperty(held, name);
  }
  letGo.clear();
}
