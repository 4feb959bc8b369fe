import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

import { type Certificate, makeCertificate } from "../network/certificate.ts";
import { UserAgent } from "../push/user-agent.ts";
import type { Behaviour } from "./behaviour.ts";
import { type Agent, ReceivingDevice } from "./receiving-device.ts";
import { ReceivingHook } from "./receiving-hook.ts";

/** The receiver at one path. `count` is the number of its earlier requests. */
interface PathHandler {
  readonly count: number;
  readonly behave: Behaviour;
  take(request: IncomingMessage, body: Buffer): void;
}

/**
 * A server with TLS. It is a push relay whose devices decrypt and check messages, and it receives
 * webhooks.
 */
export class Receiver {
  readonly certificate: Certificate;
  readonly #server: Server;
  readonly #places = new Map<string, PathHandler>();
  connections = 0;

  private constructor(certificate: Certificate) {
    this.certificate = certificate;
    this.#server = createServer(certificate, (request, response) => {
      void this.#answer(request, response);
    });
    this.#server.on("secureConnection", () => (this.connections += 1));
    this.#server.on("tlsClientError", () => undefined);
  }

  /** @param names the host names in the certificate */
  static async start(names: readonly string[]): Promise<Receiver> {
    return Receiver.startWith(makeCertificate(names));
  }

  static async startWith(certificate: Certificate, port = 0): Promise<Receiver> {
    const receiver = new Receiver(certificate);
    receiver.#server.listen(port, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  origin(name: string): string {
    return `https://${name}:${this.port}`;
  }

  device(name: string, agent: Agent = new UserAgent()): ReceivingDevice {
    const path = `/send/${this.#places.size}`;
    return this.#put(path, new ReceivingDevice(this.origin(name) + path, agent));
  }

  hook(name: string, path = `/hooks/${this.#places.size}`): ReceivingHook {
    return this.#put(path, new ReceivingHook(this.origin(name) + path));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #put<One extends PathHandler>(path: string, place: One): One {
    this.#places.set(path, place);
    return place;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path = ""] = (request.url ?? "").split("?");
    const place = this.#places.get(path);
    if (!place) return void response.writeHead(404).end();
    const before = place.count;
    place.take(request, Buffer.concat(chunks));
    place.behave(response, before, request);
  }
}

/** Makes this process trust the certificate of a receiver, like NODE_EXTRA_CA_CERTS. */
export const trustCertificate = ({ cert }: Certificate): void =>
  setDefaultCACertificates([...getCACertificates("default"), cert]);
