import { renderSVG } from "uqr";

/** A QR code as an SVG in a data URL, which needs no further request. */
export const renderQrDataUrl = (text: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(renderSVG(text)).toString("base64")}`;
