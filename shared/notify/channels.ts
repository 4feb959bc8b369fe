/** The notification is all there is to say. */
type NoDetail = Readonly<Record<string, never>>;

/**
 * CATALOGUE of NOTIFY channels and what each carries. A payload is a hint (ids, never rows):
 * NOTIFY takes less than 8,000 bytes, and a listener that was away reads by its own cursor.
 */
export interface Channels {
  /** New rows of `shard_events`, up to this id. */
  shard_events: { readonly lastId: number };
  /** The configuration of the link to the shard was saved. */
  shardlink_config: NoDetail;
  /** What each audience may see was changed. */
  visibility: NoDetail;
  /** A user's sessions were revoked; `tokenId` when it was one alone. */
  auth_revoked: { readonly userId: number; readonly tokenId?: string };
  /** The answer to a process that asks whether its LISTEN connection still hears. */
  echo: { readonly to: string };
}
export type Channel = keyof Channels;
