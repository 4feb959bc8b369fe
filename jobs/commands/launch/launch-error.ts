/**
 * A reason why the service cannot start on this machine, written for its operator. It is printed without a stack.
 */
export class LaunchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LaunchError";
  }
}
