export type NumberedText = readonly [number: number, text: string];

export function buildTextTable(texts: readonly NumberedText[]): Buffer {
  const records = texts.map(([number, text]) => {
    const bytes = Buffer.from(text);
    const head = Buffer.alloc(7);
    head.writeInt32LE(number, 0);
    head.writeUInt16LE(bytes.length, 5);
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat([Buffer.from([2, 0, 0, 0, 1, 0]), ...records]);
}
