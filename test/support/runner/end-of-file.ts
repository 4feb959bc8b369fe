const letGo = new Set<object>();

/**
 * Has an object lose all it holds when the present test file has ended. Node keeps a module for as long
 * as the process lives, and so what the file's variables hold: a server is megabytes.
 */
export const letGoAtEnd = (held: object): void => void letGo.add(held);

/** Called once nothing of the file runs any more. */
export function letGoNow(): void {
  for (const held of letGo) {
    for (const name of Object.keys(held)) Reflect.deleteProperty(held, name);
  }
  letGo.clear();
}
