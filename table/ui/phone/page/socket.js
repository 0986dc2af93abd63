/* The connection to the table: says hello, receives messages, and reconnects by itself.
   Its one rule: nothing is sent twice. A message on a dead connection is lost, and the next state shows that. */

const WAITS = [250, 500, 1000, 1500];
const SILENCE = 10_000; // the table sends something every 4 s
const ASLEEP = 5_000; // when the page becomes visible, a connection that has been silent for this long counts as dead
const OPENING = 5_000;

/* hello() returns the first message, heard(message) receives messages, changed(live) reports the connection. */
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
