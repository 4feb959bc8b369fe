/** A reason why this machine cannot start, written for its operator. It is printed without a stack. */
export class LaunchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LaunchError";
  }
}
