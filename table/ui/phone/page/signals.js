/* Alerts a player, and detects shaking.
   Its one rule: only what works here is offered, and permission is requested only after a touch. */

import { keep, kept } from './store.js';

let audio = null;

addEventListener('pointerdown', () => {
  audio ??= new AudioContext();
  audio.resume();
}, { capture: true });

export const quiet = () => kept('quiet') === 'yes';
export const hush = (on) => keep('quiet', on ? 'yes' : '');

export function call() {
  if (!audio) return; // browsers block vibration and sound before the first touch
  navigator.vibrate?.([60, 60, 120]);
  if (quiet()) return;
  [659, 988].forEach((pitch, n) => {
    const start = audio.currentTime + n * 0.13;
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.type = 'triangle';
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.2, start);
    loud.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
    tone.connect(loud).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.5);
  });
}

/* 'no', 'ask' (iOS: after a touch) or 'yes'. A laptop has the event but no sensor, so 'yes' needs a first reading. */
let can = 'no';
export const shakes = () => can;

export function feel(shaken, changed) {
  if (!isSecureContext || !('DeviceMotionEvent' in window)) return () => {};
  let hits = [];
  const moved = ({ accelerationIncludingGravity: pull }) => {
    if (pull?.x == null) return;
    if (can !== 'yes') changed((can = 'yes'));
    if (Math.hypot(pull.x, pull.y, pull.z) < 22) return; // m/s²; 9.8 at rest
    const now = Date.now();
    hits = [...hits.filter((each) => now - each < 700), now];
    if (hits.length < 3) return;
    hits = [];
    shaken();
  };
  const listen = () => addEventListener('devicemotion', moved);
  if (!DeviceMotionEvent.requestPermission) {
    listen();
    return () => {};
  }
  if (matchMedia('(pointer: coarse)').matches) can = 'ask';
  return async () => {
    const said = await DeviceMotionEvent.requestPermission().catch(() => 'denied');
    can = 'no';
    if (said === 'granted') listen();
    changed();
  };
}
