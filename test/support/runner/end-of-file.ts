const letGo = new Set<object>();

/**
 * Clears an object when the current test file ends. Node keeps a module, and thus its variables, for the
 * life of the process, and a server takes megabytes.
 */
export const clearAtFileEnd = (held: object): void => void letGo.add(held);

/** Called after all tests and hooks of the file. */
export function clearRegistered(): void {
  for (const held of letGo) {
    for (const name of Object.keys(held)) Reflect.deleteProperty(held, name);
  }
  letGo.clear();
}
