/**
 * Returns a function that sends one broadcast to the shard, as a step of an event does, but without the
 * service.
 */
export function createBroadcaster(shardUrl: string): (key: string) => Promise<void> {
  const actor = Buffer.from(JSON.stringify({ userId: 1, username: "bench", role: "admin" }));
  return async (key) => {
    const response = await fetch(`${shardUrl}/v1/broadcast`, {
      method: "POST",
      body: JSON.stringify({ text: "Hear ye" }),
      headers: {
        authorization: "Bearer simulator-token",
        "x-bridge-protocol": "8",
        "x-request-id": key,
        "idempotency-key": key,
        "x-bridge-actor": actor.toString("base64url"),
      },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the shard answered ${response.status}`);
  };
}
