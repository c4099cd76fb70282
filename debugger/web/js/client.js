// A client of the Debug Adapter Protocol over any transport: an object with send(message), close() and the callbacks
// onmessage(message) and onclose(reason). Requests are promises of their answers' bodies.

/** `nearest`: what can be asked in its place; most often nothing. */
export class Refused extends Error {
  nearest = undefined;
}

export class Client {
  #transport;
  #seq = 1;
  #waiting = new Map();
  #listeners = new Map();

  constructor(transport) {
    this.#transport = transport;
    transport.onmessage = (message) => this.#receive(message);
    transport.onclose = (reason) => this.#close(reason);
  }

  request(command, args = {}) {
    return new Promise((resolve, reject) => {
      const seq = this.#seq++;
      this.#waiting.set(seq, { resolve, reject, command });
      this.#transport.send({ seq, type: "request", command, arguments: args });
    });
  }

  /** Also of "close": the connection is gone. */
  on(event, listener) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, []);
    this.#listeners.get(event).push(listener);
  }

  close() {
    this.#transport.close();
  }

  #receive(message) {
    if (message.type === "event") return this.#tell(message.event, message.body ?? {});
    if (message.type !== "response") return;
    const waiting = this.#waiting.get(message.request_seq);
    if (!waiting) return;
    this.#waiting.delete(message.request_seq);
    if (message.success) waiting.resolve(message.body ?? {});
    else waiting.reject(Object.assign(new Refused(message.body?.error?.format ?? message.message ?? `${waiting.command} was refused`), { nearest: message.body?.nearest }));
  }

  #tell(event, body) {
    for (const listener of this.#listeners.get(event) ?? []) listener(body);
  }

  #close(reason) {
    for (const { reject } of this.#waiting.values()) reject(new Refused(reason));
    this.#waiting.clear();
    this.#tell("close", { reason });
  }
}

/** To `lockstep serve`. */
export function openSocket(address) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    const transport = {
      send: (message) => socket.send(JSON.stringify(message)),
      close: () => socket.close(),
      onmessage: () => {},
      onclose: () => {},
    };
    socket.onopen = () => resolve(transport);
    socket.onerror = () => reject(new Error("the server does not answer, or the address's token is not the server's"));
    socket.onmessage = (event) => transport.onmessage(JSON.parse(event.data));
    socket.onclose = (event) => transport.onclose(event.reason || "the connection to the server is closed");
  });
}
