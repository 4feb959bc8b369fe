import { frameForms, isFrameForm, isStrayFrame, strayFrames } from "../stream/forms.ts";
import { fault, FaultError, requireKnownOption, timesOf } from "./fault.ts";

/** CATALOGUE of faults of the stream's socket and of the buffer. */
export const streamFaults = {
  /** Closes the socket. With `terminate` no closing frame is sent. */
  drop: fault({ code: 1012, terminate: false }, ({ stream }, { code, terminate }) => {
    if (terminate) stream.cut();
    else stream.connection?.socket.close(code, "fault");
  }),

  /** Refuses the next connections with 401, 409 or 423. */
  refuse: fault({ status: 401, times: 1 }, ({ standing }, { status, times }) => {
    if (status !== 401 && status !== 409 && status !== 423) {
      throw new FaultError("status must be 401, 409 or 423");
    }
    standing.refuse(status, timesOf(times));
  }),

  /** Sends nothing for a while, not even pongs. Then sends everything. */
  silence: fault({ ms: 1_000 }, ({ stream, later }, { ms }) => {
    const { connection } = stream;
    connection?.mute(true);
    later(ms, () => connection?.mute(false));
  }),

  /** Sends the newest events again on the open socket. */
  repeat: fault({ count: 10 }, ({ stream }, { count }) => stream.connection?.repeat(count)),

  /** Begins the next replay this many events before the client's cursor. */
  overlap: fault({ count: 10 }, ({ standing }, { count }) => standing.overlap(count)),

  /** Shifts the times of the next events by at most `ms`, forward or back. */
  disorder: fault({ count: 100, ms: 2_000 }, ({ standing }, { count, ms }) => {
    standing.disorder = { left: count, ms };
  }),

  /** Shifts the clock of the game. With 0 it is correct again. */
  skew: fault({ ms: 60_000 }, ({ standing }, { ms }) => {
    standing.skewMs = ms;
  }),

  /** Leaves out the next events on the socket. The buffer keeps them. */
  hole: fault({ count: 1 }, ({ stream }, { count }) => stream.connection?.skip(count)),

  /** Makes the buffer lose new events and report the gap. */
  gap: fault({ count: 5 }, ({ buffer, game }, { count }) =>
    buffer.lose(() => void game.happen(count)),
  ),

  /** Makes the buffer lose its oldest events, even if they are not acknowledged. */
  forget: fault({ count: 10 }, ({ buffer }, { count }) => buffer.forget(count)),

  /**
   * Replaces the buffer by an empty one with a new epoch. The game then repeats its newest events.
   */
  recreate: fault({ repeat: 20 }, ({ buffer, stream }, { repeat }) => {
    stream.cut();
    buffer.recreate(repeat);
  }),

  /**
   * Sends malformed frames. Frames in `forms` are events with a seq. All other frames are no events and are sent
   * once.
   */
  frame: fault({ form: "notJson", count: 1 }, ({ game, stream }, { form, count }) => {
    const forms = [...Object.keys(strayFrames), ...frameForms];
    for (let sent = 0; sent < count; sent++) {
      if (isStrayFrame(form)) stream.connection?.sendRaw(strayFrames[form]);
      else if (isFrameForm(form)) game.sayOddly(form);
      else requireKnownOption("form", form, forms);
    }
  }),
};
