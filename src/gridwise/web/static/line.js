// A line to the server that mends itself: a WebSocket that is opened again when it breaks, sooner at
// first and then less often, and at once when the browser says that the network is back.
//
// What was sent and not yet answered is sent again on the next connection, under the same `ref`, so
// that the server counts it once. Nothing that a player did is lost without a word.

const PATIENCE = [500, 1000, 2000, 4000, 8000]; // milliseconds between tries
const QUIET = 25000; // after so long without a word, ask whether anybody is there
const DEAD = 10000; // no answer within this: the connection is gone

export class Line {
  constructor(address, { heard, up, down }) {
    this.address = address;
    this.heard = heard;
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
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    const ref = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.pending = { ...message, ref };
    if (this.open) this.socket.send(JSON.stringify(this.pending));
  }

  // Whatever has been answered need not be sent again.
  settle() {
    this.pending = null;
  }

  #open() {
    clearTimeout(this.again);
    if (this.open || this.socket?.readyState === WebSocket.CONNECTING) return;
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (this.pending) socket.send(JSON.stringify(this.pending));
      this.#listen();
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      // Not when it opens: a server that is too busy opens, says so and closes.
      this.tries = 0;
      this.up();
      this.#listen();
      this.heard(JSON.parse(event.data));
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

  #broken({ code, reason }) {
    clearTimeout(this.silence);
    this.socket = null;
    // A considered no of the server, such as too many messages, comes with its reason.
    this.down(code === 1008 || code === 1013 || code >= 4000 ? reason : "");
    const wait = PATIENCE[Math.min(this.tries, PATIENCE.length - 1)];
    this.tries += 1;
    clearTimeout(this.again);
    this.again = setTimeout(() => this.#open(), wait * (0.8 + 0.4 * Math.random()));
  }

  #listen() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      if (this.open) this.socket.send('{"type":"ping"}');
      this.silence = setTimeout(() => this.#drop(), DEAD);
    }, QUIET);
  }
}
