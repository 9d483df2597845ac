// @ts-check
// A WebSocket that reconnects: soon at first and then less often, and at once when the browser says
// that the network is back.
//
// A message that has not been answered is sent again on the next connection, under the same `ref`,
// so that the server counts it once. Nothing that a player did is lost silently.

const RETRY_DELAYS = [500, 1000, 2000, 4000, 8000]; // milliseconds
const PING_AFTER = 25000; // milliseconds without a message
const PONG_TIMEOUT = 10000; // no answer within this: the connection is broken

export class Connection {
  constructor(address, { received, up, down }) {
    this.address = address;
    this.received = received;
    this.up = up;
    this.down = down;
    this.tries = 0;
    this.pending = null; // the one message that has not been answered
    addEventListener("online", () => this.#open());
    addEventListener("offline", () => this.#drop());
    addEventListener("pageshow", (event) => event.persisted && this.#open());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !this.open) this.#open();
    });
    this.#open();
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  // Send a message, now or as soon as there is a connection.
  send(message) {
    this.pending = { ...message, ref: newRef() };
    if (this.open) this.socket.send(JSON.stringify(this.pending));
  }

  // Send something that is soon stale, such as an emote: now or not at all.
  say(message) {
    if (this.open) this.socket.send(JSON.stringify({ ...message, ref: newRef() }));
  }

  // The pending message was answered: it is not sent again.
  settle() {
    this.pending = null;
  }

  #open() {
    clearTimeout(this.retry);
    if (this.open || this.socket?.readyState === WebSocket.CONNECTING) return;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (this.pending) socket.send(JSON.stringify(this.pending));
      this.#watch();
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      // Not when it opens: a busy server opens the socket, gives the reason and closes it.
      this.tries = 0;
      this.up();
      this.#watch();
      this.received(unpacked(JSON.parse(event.data)));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.#broken(event);
    });
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.#broken({});
  }

  #broken({ code = 0, reason = "" }) {
    clearTimeout(this.ping);
    this.socket = null;
    // When the server closes on purpose, such as after too many messages, it gives a reason.
    this.down(code === 1008 || code === 1013 || code >= 4000 ? reason : "");
    const wait = RETRY_DELAYS[Math.min(this.tries, RETRY_DELAYS.length - 1)];
    this.tries += 1;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.#open(), wait * (0.8 + 0.4 * Math.random()));
  }

  #watch() {
    clearTimeout(this.ping);
    this.ping = setTimeout(() => {
      if (this.open) this.socket.send('{"type":"ping"}');
      this.ping = setTimeout(() => this.#drop(), PONG_TIMEOUT);
    }, PING_AFTER);
  }
}

function newRef() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Moves that are written as the cells they go to are sent once. So are cells that look alike: what
// is different in their pictures, with "$" for the name, and then the names. A board wants the
// picture of each cell by its name.
function unpacked(message) {
  if (message.legal) message.targets ??= message.legal;
  if (!message.svg_cells) return message;
  const drawn = (look, name) => [name, `<g class='cell${look.replaceAll("$", name)}</g>`];
  const cells = message.svg_cells.flatMap(([look, ...names]) => names.map((name) => drawn(look, name)));
  return { ...message, svg_cells: Object.fromEntries(cells) };
}
