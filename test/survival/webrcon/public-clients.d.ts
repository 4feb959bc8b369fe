declare module "rustrcon" {
  /** Public client for the console of a Rust server. */
  export class Client {
    constructor(options: { ip: string; port: number; password: string });
    on(event: string, listener: (value: { readonly [name: string]: unknown }) => void): void;
    login(): void;
    destroy(): void;
    send(message: string, name: string, identifier: number): void;
  }
}

declare module "webrconjs" {
  /** Public client for the console of a Rust server. */
  export default class WebRcon {
    constructor(ip: string, port: number);
    on(event: string, listener: (value: { readonly [name: string]: unknown }) => void): void;
    connect(password: string): void;
    disconnect(): boolean;
    run(command: string, identity?: number): void;
  }
}
