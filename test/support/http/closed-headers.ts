/** Returns the fault of an answer's security policy or of its cookies, or undefined if both are correct. */
export const faultOfHeaders = (headers: Headers): string | undefined =>
  policyFault(headers) ?? cookieFault(headers);

/**
 * Directives that each policy must have. Without them, a page could be framed, change its base URL,
 * or send forms to other sites.
 */
const closed = ["default-src", "frame-ancestors", "base-uri", "form-action"];

function policyFault(headers: Headers): string | undefined {
  const directives = (headers.get("content-security-policy") ?? "").split(/;\s*/);
  const lacking = closed.filter((name) => !directives.includes(`${name} 'none'`));
  return lacking.length === 0 ? undefined : `its policy leaves ${lacking.join(", ")} open`;
}

function cookieFault(headers: Headers): string | undefined {
  const odd = headers.getSetCookie().find((line) => !isClosedCookie(line));
  return odd === undefined ? undefined : `a cookie is open to others: ${odd}`;
}

function isClosedCookie(line: string): boolean {
  const [pair = "", ...attributes] = line.split("; ");
  const hasAll = ["HttpOnly", "Path=/"].every((attribute) => attributes.includes(attribute));
  const isOfSite = attributes.some((attribute) => /^SameSite=(?:Lax|Strict)$/.test(attribute));
  const isOfHost = !attributes.some((attribute) => attribute.startsWith("Domain="));
  return (
    hasAll && isOfSite && isOfHost && pair.startsWith("__Host-") === attributes.includes("Secure")
  );
}
