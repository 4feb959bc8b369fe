/** The encoded event; null if the access level does not see it. */
export type Frame = Buffer | null;

/** Encodes each event once per access level. All subscribers share the bytes. */
export class FrameCache<Event extends object, Audience extends object> {
  readonly #made = new WeakMap<Event, { view: object; frames: Map<Audience, Frame> }>();
  readonly #encode: (event: Event, audience: Audience) => Frame;

  constructor(encode: (event: Event, audience: Audience) => Frame) {
    this.#encode = encode;
  }

  /**
   * Returns the frame of an event. Frames are found by the identity of the audience, so pass the same
   * object each time. @param view the visibility settings; another object discards earlier frames
   */
  frameOf(event: Event, audience: Audience, view: object): Frame {
    const kept = this.#made.get(event);
    const frames = kept?.view === view ? kept.frames : new Map<Audience, Frame>();
    if (frames !== kept?.frames) this.#made.set(event, { view, frames });
    const known = frames.get(audience);
    if (known !== undefined) return known;
    const frame = this.#encode(event, audience);
    frames.set(audience, frame);
    return frame;
  }
}
