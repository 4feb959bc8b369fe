import Joi from "joi";

import { serverLinkKinds } from "../../models/survival/survival-server.ts";
import { controlAddress, socketAddress } from "../../shared/platform/bridge/socket/addresses.ts";
import { isHostPort } from "../../shared/platform/net/external-url.ts";
import { survivalProtocols } from "../../shared/survival/calls/server-calls.ts";
import { wipeFields } from "../../shared/survival/wipes/wipe-schedule.ts";
import { bearerTokenField } from "../http/fields.ts";

const text = (max: number) => Joi.string().max(max);

/** The game compares the password with the path of a URL, in which a space or `#` cannot be sent. */
const rconPasswordField = Joi.string()
  .allow("")
  .max(256)
  .custom(
    (password: string, helpers) =>
      /^[!"$-~]*$/.test(password) ? password : helpers.error("password.characters"),
    "a WebRCON password",
  )
  .messages({
    "password.characters":
      "{{#label}} must consist of ASCII letters, digits and punctuation other than #",
  });

/** The fields of a survival server that administrators set. */
export const serverFields = {
  slug: text(63)
    .pattern(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .messages({
      "string.pattern.base":
        "{{#label}} must be lower-case letters, digits and hyphens, and must not begin with a hyphen",
    })
    .description(
      "Unique name of the server in URLs. If absent, a new server receives a slug made from " +
        "`name`.",
    ),
  description: text(2_000)
    .allow(null)
    .description(
      "Text about the server for players. If null, players see the name that the game server " +
        "reports.",
    ),
  region: text(64).allow(null),
  connect: text(300)
    .custom((given: string, helpers) => (isHostPort(given) ? given : helpers.error("host.port")))
    .allow(null)
    .messages({
      "host.port":
        "{{#label}} must be only host:port, such as play.example.org:28015 or [2001:db8::1]:28015",
    })
    .description(
      "Host and port to which players connect, as host:port, with an IPv6 address in brackets. " +
        "Null if not public.",
    )
    .example("play.example.org:28015"),
  sort: Joi.number()
    .integer()
    .min(-10_000)
    .max(10_000)
    .description(
      "Position of the server in lists, lowest first. Servers with equal values are sorted by " +
        "name.",
    ),
  enabled: Joi.boolean().description(
    "Whether the link to the game server is turned on. For the kind `sidecar`, this requires " +
      "`baseUrl`, `wsUrl` and a token; for the kind `webrcon`, `rconHost` and a password. " +
      "Default for a new server: false.",
  ),
  listed: Joi.boolean().description(
    "Whether public operations return the server. Default for a new server: true.",
  ),
  acceptsLinks: Joi.boolean().description(
    "Whether codes that this server issues can link Steam accounts. Set this to true only for " +
      "servers that you trust: such a server can link any Steam account to the user who enters " +
      "its code. Default for a new server: true. Always false while the server is not listed.",
  ),
  kind: Joi.string()
    .valid(...serverLinkKinds)
    .description(
      "How the server is linked. Default for a new server: `sidecar`. If the kind changes, the " +
        "service revokes all plugin keys of the server and deletes its URLs, host, token and " +
        "password. The request must not contain fields of another kind: `baseUrl`, `wsUrl`, " +
        "`token` and `protocol` belong to `sidecar`, and `rconHost`, `rconPort`, `rconPassword` " +
        "and `rconTls` to `webrcon`.",
    ),
  baseUrl: controlAddress
    .allow("")
    .description("`http` or `https` URL of the sidecar's control API, without `/v1`."),
  wsUrl: socketAddress.allow("").description("`ws` or `wss` URL of the sidecar's event stream."),
  token: bearerTokenField.description(
    "Bearer token with which the service signs in to the sidecar. Responses never contain it. An " +
      "empty string keeps the stored token.",
  ),
  protocol: Joi.number()
    .valid(...survivalProtocols)
    .description("Version of the bridge protocol that the link uses."),
  rconHost: Joi.string()
    .hostname()
    .pattern(/^[!-~]*$/, "ASCII")
    .max(253)
    .allow("")
    .description(
      "Host name or IP address of the game server's WebRCON console. The address may be private.",
    )
    .example("rust.example.org"),
  rconPort: Joi.number()
    .port()
    .min(1)
    .description(
      "Port of the WebRCON console: `rcon.port` of the game server. Default for a new server: " +
        "28016.",
    ),
  rconPassword: rconPasswordField
    .example("a-long-password")
    .description(
      "Password of the WebRCON console: `rcon.password` of the game server. Responses never " +
        "contain it. An empty string keeps the stored password. The game compares the password " +
        "with the path of a URL, so it must consist of ASCII letters, digits and punctuation other " +
        "than `#`.",
    ),
  rconTls: Joi.boolean().description(
    "Whether the WebRCON console uses TLS (`wss`). Default for a new server: false.",
  ),
  showSeed: Joi.boolean().description(
    "Whether responses contain the seed of the map. If false, `seed` is null in all responses.",
  ),
  ignoreStaff: Joi.boolean().description(
    "Whether rankings leave out players whom the game reports as staff.",
  ),
  permissionSync: Joi.boolean().description(
    "Whether the site manages the permissions of players on this server.",
  ),
  ...wipeFields,
};
