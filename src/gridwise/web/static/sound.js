// @ts-check
// Short tones for what happens, made in the browser: silent unless the preference is on.

// Each tone: pitch in hertz, when it begins and how long it lasts in seconds.
const TONES = {
  move: [[330, 0, 0.07]],
  claim: [[392, 0, 0.06], [523, 0.05, 0.09]],
  reveal: [[660, 0, 0.04], [880, 0.04, 0.06]],
  challenge: [[196, 0, 0.12], [233, 0.1, 0.12], [196, 0.2, 0.16]],
  turn: [[587, 0, 0.08], [784, 0.09, 0.12]],
  win: [[523, 0, 0.1], [659, 0.1, 0.1], [784, 0.2, 0.1], [1047, 0.3, 0.25]],
  lose: [[392, 0, 0.14], [330, 0.14, 0.14], [262, 0.28, 0.28]],
};
let context = null;

export function play(name) {
  if (window.gridwise?.get("sound") !== "on" || !(name in TONES)) return;
  try {
    context ??= new AudioContext();
    context.resume().catch(() => {}); // before the first click a browser may refuse
    for (const [pitch, begin, length] of TONES[name]) tone(pitch, context.currentTime + begin, length);
  } catch {
    context = null; // no sound on this machine
  }
}

function tone(pitch, at, length) {
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.value = pitch;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.16, at + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length + 0.02);
}
