const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone|\biPad/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (userAgent: string, names: typeof browsers): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** What a list of devices calls a browser: `Firefox on Windows`. */
export function deviceLabel(userAgent = ""): string {
  const browser = nameIn(userAgent, browsers) ?? "Unknown browser";
  const system = nameIn(userAgent, systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
