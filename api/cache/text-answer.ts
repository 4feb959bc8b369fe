import { createHash } from "node:crypto";

/** Node copies a shorter text and its headers into one write. For longer texts the copy costs more than it saves. */
const maxTextLength = 8_192;

export class TextAnswer {
  readonly mediaType: string;
  /** The body. A long text is stored as bytes, so that a cached answer is encoded only once. */
  readonly content: string | Buffer;
  #etag: string | undefined;
  #length: string | undefined;

  constructor(mediaType: string, text: string) {
    this.mediaType = mediaType;
    this.content = text.length > maxTextLength ? Buffer.from(text) : text;
  }

  get contentType(): string {
    return `${this.mediaType}; charset=utf-8`;
  }

  /** The length of the body in bytes, as the value of a header. */
  get length(): string {
    return (this.#length ??= String(Buffer.byteLength(this.content)));
  }

  /** The ETag. It is computed once, however often a cached answer is sent. */
  get etag(): string {
    return (this.#etag ??= etagOf(this.content));
  }
}

/** Computes the ETag from the bytes of the answer alone, so that it reveals nothing else. */
const etagOf = (bytes: string | Buffer): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
