import Joi from "joi";

import { controlAddress, socketAddress } from "../../shared/bridge/addresses.ts";
import { isHostPort } from "../../shared/net/host-port.ts";
import { survivalProtocols } from "../../shared/survival/calls/server-calls.ts";
import { wipeFields } from "../../shared/survival/wipes/wipe-schedule.ts";
import { bearerTokenField } from "../http/fields.ts";

const text = (max: number) => Joi.string().max(max);

/** The fields of a survival server that its administrators write. */
export const serverFields = {
  slug: text(63)
    .pattern(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .messages({
      "string.pattern.base":
        "{{#label}} must be lower-case letters, digits and hyphens, and begin with no hyphen",
    })
    .description("Unique name for URLs. If omitted for a new server, generated from `name`."),
  description: text(2_000)
    .allow(null)
    .description("Text for players. If null, players see the name that the game server reports."),
  region: text(64).allow(null),
  connect: text(300)
    .custom((given: string, helpers) => (isHostPort(given) ? given : helpers.error("host.port")))
    .allow(null)
    .messages({
      "host.port":
        "{{#label}} must be host:port alone, such as play.example.org:28015 or [2001:db8::1]:28015",
    })
    .description(
      "Address that players connect to, as host:port. Put an IPv6 address in brackets. Null if " +
        "not public.",
    )
    .example("play.example.org:28015"),
  sort: Joi.number()
    .integer()
    .min(-10_000)
    .max(10_000)
    .description("Position in lists, lowest first. Servers with equal values are sorted by name."),
  enabled: Joi.boolean().description(
    "Whether the service connects to the game server. Needs `baseUrl`, `wsUrl` and a token. A " +
      "new server is disabled by default.",
  ),
  listed: Joi.boolean().description(
    "Whether public routes show the server. A new server is listed by default.",
  ),
  acceptsLinks: Joi.boolean().description(
    "Whether link codes that this server issues can link Steam accounts. Enable this only for " +
      "servers that you trust: such a server can link any Steam account to the user who enters " +
      "its code. True by default for a new server. Always false while the server is not listed.",
  ),
  kind: Joi.string()
    .valid("sidecar", "plugin")
    .description(
      "How the server is linked; `sidecar` if omitted when the server is added. Another kind ends " +
        "the keys of plugins and deletes addresses and token. Fields of a sidecar are refused for a " +
        "plugin.",
    ),
  baseUrl: controlAddress
    .allow("")
    .description("HTTP or HTTPS address of the sidecar's control API, without `/v1`."),
  wsUrl: socketAddress
    .allow("")
    .description("WebSocket address of the sidecar's event stream, `ws` or `wss`."),
  token: bearerTokenField.description(
    "Bearer token for the sidecar. It is never returned. An empty string keeps the stored token.",
  ),
  protocol: Joi.number()
    .valid(...survivalProtocols)
    .description("Version of the bridge protocol."),
  showSeed: Joi.boolean().description(
    "Whether responses contain the map's seed. If false, `seed` is null.",
  ),
  ignoreStaff: Joi.boolean().description(
    "Whether rankings leave out players whom the game reports as staff.",
  ),
  permissionSync: Joi.boolean().description(
    "Whether the site manages the permissions of players on this server.",
  ),
  ...wipeFields,
};
