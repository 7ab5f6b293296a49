// A pool of workers with the engine. Quick questions have their own worker, so that long ones do not delay them; stopping a question
// ends its worker.

/** Questions that are answered at once. */
const QUICK = new Set(["rules", "secret", "feedback", "split", "strategies"]);
/** Interval of progress reports in milliseconds. */
const TICK = 200;

export class EngineError extends Error {
  /** @param {string} code @param {string} message @param {string | null} hint */
  constructor(code, message, hint = null) {
    super(message);
    this.name = "EngineError";
    this.code = code;
    this.hint = hint;
  }
}

/** @typedef {{post: (message: object) => void, keepAlive: (working: boolean) => void, end: () => void}} Thread */
/** @typedef {{name: string, body: object, watcher: any, resolve: (answer: any) => void, reject: (error: unknown) => void, job: string, since: number, tick?: ReturnType<typeof setInterval>, place?: Place}} Asked */
/** @typedef {{thread: Thread | null, asked: Asked | null}} Place */

export class Engine {
  /** @type {Promise<WebAssembly.Module> | null} */
  #compiled = null;
  /** The first is for quick questions. @type {Place[]} */
  #places = [{ thread: null, asked: null }, { thread: null, asked: null }, { thread: null, asked: null }];
  /** @type {Asked[]} */
  #waiting = [];
  #jobs = 0;
  #compile;
  #startThread;

  /**
   * @param {() => Promise<WebAssembly.Module>} compile
   * @param {(receive: (line: object) => void, fail: (message: string) => void) => Thread} startThread
   */
  constructor(compile, startThread) {
    this.#compile = compile;
    this.#startThread = startThread;
  }

  /** Compiles the engine, if that has not been done. */
  async ready() {
    await this.#module();
    return this;
  }

  #module() {
    this.#compiled ??= this.#compile().catch((error) => {
      this.#compiled = null;
      throw new EngineError("unreachable", "The engine could not be loaded", String(error));
    });
    return this.#compiled;
  }

  /** @type {import("./index.js").Engine["hint"]} */
  hint = (question, watcher) => this.ask("hint", question, watcher);
  /** @type {import("./index.js").Engine["analyze"]} */
  analyze = (question, watcher) => this.ask("analyze", question, watcher);
  /** @type {import("./index.js").Engine["remaining"]} */
  remaining = (question, watcher) => this.ask("remaining", question, watcher);
  /** @type {import("./index.js").Engine["solve"]} */
  solve = (question, watcher) => this.ask("watch", question, watcher);
  /** @type {import("./index.js").Engine["score"]} */
  score = (question, watcher) => this.ask("feedback", question, watcher);

  /** @param {string} name @param {object} body @param {any} [watcher] @returns {Promise<any>} */
  ask(name, body, watcher = {}) {
    return new Promise((resolve, reject) => {
      watcher.signal?.throwIfAborted();
      const job = String((this.#jobs += 1));
      /** @type {Asked} */
      const asked = { name, body, watcher, resolve, reject, job, since: performance.now() };
      asked.tick = setInterval(() => {
        const seconds = (performance.now() - asked.since) / 1000;
        watcher.progress?.({ state: asked.place ? "working" : "waiting", seconds, examined: 0, nodes: 0 });
      }, TICK);
      watcher.signal?.addEventListener("abort", () => this.#end(asked, watcher.signal.reason), { once: true });
      this.#waiting.push(asked);
      watcher.job?.(job);
      this.#next();
    });
  }

  /** @param {string} job */
  stop(job) {
    const asked = [...this.#waiting, ...this.#places.map((place) => place.asked)].find((one) => one?.job === job);
    if (asked) this.#end(asked, new EngineError("stopped", "The question was stopped"));
  }

  close() {
    const open = [...this.#waiting, ...this.#places.map((place) => place.asked)];
    for (const asked of open) if (asked) this.#end(asked, new EngineError("stopped", "The engine was closed"));
    for (const place of this.#places) this.#drop(place);
  }

  /** @param {Place} place */
  async #thread(place) {
    const module = await this.#module();
    if (place.thread) return place.thread;
    const fail = (/** @type {string} */ message) => {
      // The next question starts another thread.
      this.#drop(place);
      this.#receive(place, { error: { code: "broken", message, hint: null } });
    };
    place.thread = this.#startThread((line) => this.#receive(place, line), fail);
    place.thread.post({ module });
    return place.thread;
  }

  /** @param {Place} place */
  #drop(place) {
    place.thread?.end();
    place.thread = null;
  }

  /** @param {Place} place @param {any} line */
  #receive(place, line) {
    const { asked } = place;
    if (!asked) return;
    if (!line.error && !("answer" in line)) return asked.watcher.line?.(line);
    this.#over(asked);
    if (line.error) asked.reject(new EngineError(line.error.code, line.error.message, line.error.hint));
    else asked.resolve(line.answer);
    this.#next();
  }

  /** @param {Asked} asked */
  #over(asked) {
    clearInterval(asked.tick);
    this.#waiting = this.#waiting.filter((other) => other !== asked);
    if (asked.place?.asked !== asked) return;
    asked.place.asked = null;
    asked.place.thread?.keepAlive(false);
  }

  /** Assigns waiting questions to idle workers. */
  #next() {
    for (const place of this.#places) {
      if (place.asked) continue;
      const quick = place === this.#places[0];
      const asked = this.#waiting.find((one) => QUICK.has(one.name) === quick);
      if (!asked) continue;
      this.#waiting = this.#waiting.filter((other) => other !== asked);
      Object.assign(asked, { place, since: performance.now() });
      place.asked = asked;
      this.#thread(place).then(
        (thread) => {
          if (place.asked !== asked) return;
          thread.keepAlive(true);
          thread.post({ name: asked.name, body: asked.body });
        },
        (error) => {
          this.#over(asked);
          asked.reject(error);
        },
      );
    }
  }

  /** Rejects a question and ends its worker. @param {Asked} asked @param {unknown} reason */
  #end(asked, reason) {
    const { place } = asked;
    const working = place?.asked === asked;
    this.#over(asked);
    if (working && place) this.#drop(place);
    asked.reject(reason);
    this.#next();
  }
}
