/** What keeps this machine from starting, in words for its operator: no stack belongs beside it. */
export class LaunchFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LaunchFault";
  }
}
