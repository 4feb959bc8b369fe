import { renderSVG } from "uqr";

/** A QR code that needs no further request: an SVG in a data URL. */
export const qrDataUrl = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text)).toString("base64")}`;
