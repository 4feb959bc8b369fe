const folders =
  "wp-admin|wp-content|wp-includes|\\.env|\\.vscode/|phpmyadmin|pma|adminer|mysql|cgi-bin/" +
  "|vendor/phpunit|_ignition/|telescope/|actuator|solr/|jenkins|manager/html|console/(?:login|images|portal)|hnap1" +
  "|boaform|owa/|autodiscover/|remote/|dana-na/|geoserver|druid/|nacos|struts|backup" +
  "|\\.(?:git|svn|hg|aws|ssh)(?:/|$)";
const files = "\\.ds_store|\\.htaccess|server-status|config\\.(?:json|php|yml)";
const endings = "php|asp|aspx|jsp|cgi|env|sql|bak";

const junk = new RegExp(`^/(?:${folders})|^/(?:${files})/?$|\\.(?:${endings})/?$`);
/** Endings that scanners try under `/api/`. All other paths there are answered normally. */
const junkUnderApi = /\.(?:php|env|git)(?:\/|$)/;
/**
 * Paths that may contain the name of a game account, such as `joe.php`. They do not count as paths of scanners.
 */
const namesAccounts = /^\/api\/v1\/(?:player|admin)\//;

/** Returns true if scanners try this path on every site and no page links to it. @param path as sent */
export function isJunkPath(path: string): boolean {
  const plain = decoded(path)
    .toLowerCase()
    .replaceAll(/\/{2,}/g, "/");
  if (plain.startsWith("/.well-known/") || namesAccounts.test(plain)) return false;
  return (plain.startsWith("/api/") ? junkUnderApi : junk).test(plain);
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
