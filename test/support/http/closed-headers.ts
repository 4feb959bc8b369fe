/** What an answer's policy or cookies leave open to others; undefined when they hold the rules of all. */
export const faultOfHeaders = (headers: Headers): string | undefined =>
  policyFault(headers) ?? cookieFault(headers);

/** No answer may be framed, and no document of it may have another base or send a form anywhere. */
const closed = ["default-src", "frame-ancestors", "base-uri", "form-action"];

/** Every answer, of whatever test, holds the rule of all policies. */
function policyFault(headers: Headers): string | undefined {
  const directives = (headers.get("content-security-policy") ?? "").split(/;\s*/);
  const lacking = closed.filter((name) => !directives.includes(`${name} 'none'`));
  return lacking.length === 0 ? undefined : `its policy leaves ${lacking.join(", ")} open`;
}

/** Every cookie that is set, by whatever test, holds the rule of all cookies. */
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
