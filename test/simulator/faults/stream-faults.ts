import { frameForms, isFrameForm, isStrayFrame, strayFrames } from "../stream/forms.ts";
import { fault, FaultError, known, timesOf } from "./fault.ts";

/** CATALOGUE of faults of the socket and of its buffer. */
export const streamFaults = {
  /** Closes the socket; `terminate` omits the closing frame. */
  drop: fault({ code: 1012, terminate: false }, ({ stream }, { code, terminate }) => {
    if (terminate) stream.cut();
    else stream.connection?.socket.close(code, "fault");
  }),

  /** Refuses the next upgrades: 401, 409 or 423. */
  refuse: fault({ status: 401, times: 1 }, ({ standing }, { status, times }) => {
    if (status !== 401 && status !== 409 && status !== 423) {
      throw new FaultError("status must be 401, 409 or 423");
    }
    standing.refuse(status, timesOf(times));
  }),

  /** Sends nothing for a while, not even pongs, and then continues. */
  silence: fault({ ms: 1_000 }, ({ stream, later }, { ms }) => {
    const { connection } = stream;
    connection?.mute(true);
    later(ms, () => connection?.mute(false));
  }),

  /** Sends the newest events again on the same socket. */
  repeat: fault({ count: 10 }, ({ stream }, { count }) => stream.connection?.repeat(count)),

  /** Starts the next replay this many events before the client's cursor. */
  overlap: fault({ count: 10 }, ({ standing }, { count }) => standing.overlap(count)),

  /** Shifts the `t` of the next events by up to `ms` in either direction. */
  disorder: fault({ count: 100, ms: 2_000 }, ({ standing }, { count, ms }) => {
    standing.disorder = { left: count, ms };
  }),

  /** Shifts the game's clock; 0 resets it. */
  skew: fault({ ms: 60_000 }, ({ standing }, { ms }) => {
    standing.skewMs = ms;
  }),

  /** Does not send the next events, but keeps them in the buffer. */
  hole: fault({ count: 1 }, ({ stream }, { count }) => stream.connection?.skip(count)),

  /** The buffer loses new events and reports the gap. */
  gap: fault({ count: 5 }, ({ buffer, game }, { count }) =>
    buffer.lose(() => void game.happen(count)),
  ),

  /** The buffer loses its oldest events, even unacknowledged ones. */
  forget: fault({ count: 10 }, ({ buffer }, { count }) => buffer.forget(count)),

  /** A new, empty buffer with a new epoch; the game repeats its newest events. */
  recreate: fault({ repeat: 20 }, ({ buffer, stream }, { repeat }) => {
    stream.cut();
    buffer.recreate(repeat);
  }),

  /** Sends malformed frames. Those in `forms` take a seq; the others are sent once and are not events. */
  frame: fault({ form: "notJson", count: 1 }, ({ game, stream }, { form, count }) => {
    const forms = [...Object.keys(strayFrames), ...frameForms];
    for (let sent = 0; sent < count; sent++) {
      if (isStrayFrame(form)) stream.connection?.sendRaw(strayFrames[form]);
      else if (isFrameForm(form)) game.sayOddly(form);
      else known("form", form, forms);
    }
  }),
};
