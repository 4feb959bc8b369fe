import type { TokenAuthMethod } from "../../../models/auth/auth-provider.ts";
import type { ProviderClient } from "./provider-client.ts";
import {
  requestJsonObject,
  type JsonFields,
  type ProviderResponse,
  type ProviderRequestContext,
  formatProviderError,
  ProviderFailure,
  untrustedAnswerError,
} from "./provider-request.ts";

/** The tokens that a provider returns for an authorization code. */
export interface ProviderTokens {
  readonly accessToken: string;
  /** Not verified. */
  readonly idToken: unknown;
}

export interface CodeExchange {
  readonly code: string;
  readonly codeVerifier: string;
}

/** Exchanges an authorization code for tokens. @throws {ProviderFailure} */
export async function exchangeProviderCode(
  redemption: CodeExchange,
  client: ProviderClient,
  line: ProviderRequestContext,
): Promise<ProviderTokens> {
  const answer = await requestTokens(redemption, client, line);
  if (answer.status !== 200) throw refusalIn(answer);
  const { access_token: accessToken, token_type: type, id_token: idToken } = answer.fields;
  if (typeof accessToken !== "string" || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw untrustedAnswerError("the access token is missing or malformed");
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    throw untrustedAnswerError("the access token is not a bearer token");
  }
  return { accessToken, idToken };
}

/**
 * Checks the client's id and secret with a code that was never issued. A provider that knows the client refuses
 * only the code.
 * @throws {ProviderFailure} if the provider refuses the client or gives an unexpected answer
 */
export async function checkClientCredentials(
  client: ProviderClient,
  line: ProviderRequestContext,
): Promise<void> {
  const unknown = { code: "health-check", codeVerifier: "health-check".padEnd(43, "-") };
  const answer = await requestTokens(unknown, client, line);
  if (refusesClient(answer)) throw refusalIn(answer);
  const { status, fields } = answer;
  if (unsupportedGrantErrors.includes(errorIn(fields))) {
    throw new ProviderFailure("unsupported", describeAnswer(answer));
  }
  if (status >= 500 || notEndpointStatuses.includes(status)) {
    throw new ProviderFailure("unreachable", describeAnswer(answer));
  }
}

/** Errors of a token endpoint that accepts no authorization code at all. */
const unsupportedGrantErrors = ["unsupported_grant_type"];

/** Statuses of a URL that is not a token endpoint. */
const notEndpointStatuses = [404, 405, 410];

/**
 * Sends the request with the client's first authentication method, and with the second if the provider
 * refuses the client. The code stays usable for the second request, because the provider checks the
 * client first.
 */
async function requestTokens(
  redemption: CodeExchange,
  client: ProviderClient,
  line: ProviderRequestContext,
): Promise<ProviderResponse> {
  const [method, other] = client.clientSecret === null ? [] : client.authMethods;
  const answer = await requestTokensBy(method, redemption, client, line);
  if (other === undefined || !rejectsClientAuthentication(answer)) return answer;
  const again = await requestTokensBy(other, redemption, client, line);
  if (rejectsClientAuthentication(again)) return answer;
  const { providerId: provider } = client;
  line.log.info(
    { provider, refused: method, accepted: other, said: describeAnswer(answer) },
    "a sign-in provider accepted the client secret only by another method: set tokenAuthMethod",
  );
  return again;
}

function requestTokensBy(
  method: TokenAuthMethod | undefined,
  { code, codeVerifier }: CodeExchange,
  client: ProviderClient,
  line: ProviderRequestContext,
): Promise<ProviderResponse> {
  const form = {
    grant_type: "authorization_code",
    code,
    code_verifier: codeVerifier,
    redirect_uri: client.callbackUrl,
  };
  return requestJsonObject(
    { url: client.endpoints.tokenUrl, ...clientAuthentication(method, client, form) },
    line,
  );
}

/** Adds the client's authentication: its secret in a header or in the form, or only its id. */
function clientAuthentication(
  method: TokenAuthMethod | undefined,
  { clientId, clientSecret }: ProviderClient,
  form: Readonly<Record<string, string>>,
) {
  if (clientSecret === null) return { form: { ...form, client_id: clientId } };
  if (method === "client_secret_post") {
    return { form: { ...form, client_id: clientId, client_secret: clientSecret } };
  }
  const pair = `${formText(clientId)}:${formText(clientSecret)}`;
  return { form, headers: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } };
}

/** Encode both parts as form values before joining them (RFC 6749 §2.3.1). */
const formText = (text: string): string => new URLSearchParams({ text }).toString().slice(5);

/** True if the provider refuses only the client's authentication, not the code. */
const rejectsClientAuthentication = ({ status, fields }: ProviderResponse): boolean =>
  errorIn(fields) === "invalid_client" || (status === 401 && errorIn(fields) === "");

const refusesClient = ({ status, fields }: ProviderResponse): boolean =>
  status === 401 || ["invalid_client", "unauthorized_client"].includes(errorIn(fields));

function refusalIn(answer: ProviderResponse): ProviderFailure {
  const said = describeAnswer(answer);
  if (refusesClient(answer)) return new ProviderFailure("bad_secret", said);
  return untrustedAnswerError(said);
}

function describeAnswer({ status, fields }: ProviderResponse): string {
  const error = formatProviderError(fields["error"], fields["error_description"]);
  return `the token endpoint answered ${status}${error === "" ? "" : ` ${error}`}`;
}

/** Returns the error code, or an empty text if the field is not a code. */
function errorIn({ error }: JsonFields): string {
  return typeof error === "string" && /^[\w-]{1,64}$/.test(error) ? error : "";
}
