/* The line to the table: says hello, hears messages, and comes back by itself.
   Its one rule: nothing is sent twice, so what was said into a dead line is lost, and the next state shows it. */

const WAITS = [250, 500, 1000, 1500];
const SILENCE = 10_000; // the table says something every 4 s
const ASLEEP = 5_000; // heard nothing for so long when the page is looked at again: the line is dead
const OPENING = 5_000;

/* hello() is what is said first; heard(message) takes what comes; changed(live) when the line is found or lost. */
export function connect(hello, heard, changed) {
  let line = null;
  let tries = 0;
  let last = 0;
  let timer = 0;
  let live = false;

  function open() {
    clearTimeout(timer);
    close();
    last = Date.now();
    line = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`);
    line.onopen = () => {
      last = Date.now();
      say(hello());
    };
    line.onmessage = (event) => {
      last = Date.now();
      tries = 0;
      const message = JSON.parse(event.data);
      set(true);
      if (message.is !== 'beat') heard(message);
    };
    line.onclose = lost;
  }

  function close() {
    if (!line) return;
    line.onopen = line.onmessage = line.onclose = null;
    line.close();
    line = null;
  }

  function lost() {
    close();
    set(false);
    clearTimeout(timer);
    timer = setTimeout(open, WAITS[Math.min(tries++, WAITS.length - 1)]);
  }

  function set(now) {
    if (now !== live) changed((live = now));
  }

  function say(message) {
    if (line?.readyState !== WebSocket.OPEN) return false;
    line.send(JSON.stringify(message));
    return true;
  }

  function again() {
    set(false);
    tries = 0;
    open();
  }

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && (!live || Date.now() - last > ASLEEP)) again();
  });
  addEventListener('online', again);
  setInterval(() => {
    const silent = Date.now() - last;
    if (document.hidden || !line) return;
    if (silent > (line.readyState === WebSocket.CONNECTING ? OPENING : SILENCE)) lost();
  }, 1000);
  open();
  return { say, again };
}
