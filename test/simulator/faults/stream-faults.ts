import { frameForms, isFrameForm, isStrayFrame, strayFrames } from "../stream/forms.ts";
import { fault, FaultError, known, timesOf } from "./fault.ts";

/** CATALOGUE of what goes wrong on the socket and in the buffer behind it. */
export const streamFaults = {
  /** Closes the socket; `terminate` without a closing frame. */
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

  /** Says nothing for a while, pongs included, and then goes on where it was. */
  silence: fault({ ms: 1_000 }, ({ stream, later }, { ms }) => {
    const { connection } = stream;
    connection?.mute(true);
    later(ms, () => connection?.mute(false));
  }),

  /** Sends the newest events once more on the same socket. */
  repeat: fault({ count: 10 }, ({ stream }, { count }) => stream.connection?.repeat(count)),

  /** Begins the next replay so many events before the client's cursor. */
  overlap: fault({ count: 10 }, ({ standing }, { count }) => standing.overlap(count)),

  /** Gives the next events a `t` that is off by up to `ms`, to either side. */
  disorder: fault({ count: 100, ms: 2_000 }, ({ standing }, { count, ms }) => {
    standing.disorder = { left: count, ms };
  }),

  /** Sets the game's clock off; 0 sets it right. */
  skew: fault({ ms: 60_000 }, ({ standing }, { ms }) => {
    standing.skewMs = ms;
  }),

  /** Leaves the next events out of the socket without a word; the buffer still holds them. */
  hole: fault({ count: 1 }, ({ stream }, { count }) => stream.connection?.skip(count)),

  /** Things happen, the buffer loses them and says so. */
  gap: fault({ count: 5 }, ({ buffer, game }, { count }) =>
    buffer.lose(() => void game.happen(count)),
  ),

  /** The buffer loses its oldest events, whether they were acknowledged or not. */
  forget: fault({ count: 10 }, ({ buffer }, { count }) => buffer.forget(count)),

  /** A new, empty buffer under a new epoch; the game repeats its newest events into it. */
  recreate: fault({ repeat: 20 }, ({ buffer, stream }, { repeat }) => {
    stream.cut();
    buffer.recreate(repeat);
  }),

  /** An odd frame: one of `forms` takes a seq, a stray one is sent once and is no event. */
  frame: fault({ form: "notJson", count: 1 }, ({ game, stream }, { form, count }) => {
    const forms = [...Object.keys(strayFrames), ...frameForms];
    for (let sent = 0; sent < count; sent++) {
      if (isStrayFrame(form)) stream.connection?.sendRaw(strayFrames[form]);
      else if (isFrameForm(form)) game.sayOddly(form);
      else known("form", form, forms);
    }
  }),
};
