// Sounds of a game, which are off unless the player turns them on.

import { saved } from "./device.js";

/** Frequencies in hertz, one after the other. */
const TONES = { turn: [330], won: [392, 494, 587] };
/** Length of a tone in seconds. */
const LENGTH = 0.12;

/** @type {AudioContext | null} */
let context = null;

/** @param {keyof typeof TONES} kind */
export function tone(kind) {
  if (!saved("sound", false)) return;
  context ??= new AudioContext();
  for (const [at, frequency] of TONES[kind].entries()) {
    const [start, volume] = [context.currentTime + at * LENGTH, context.createGain()];
    const source = new OscillatorNode(context, { type: "triangle", frequency });
    volume.gain.setValueAtTime(0.15, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    source.connect(volume).connect(context.destination);
    source.start(start);
    source.stop(start + LENGTH);
  }
}
